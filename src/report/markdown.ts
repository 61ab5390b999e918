import { markdownTable } from 'markdown-table';
import { printable } from '../util/text.ts';
import { widthOf } from './wrap.ts';

/** Rows as a table of GitHub's Markdown, aligned so that it reads well as it is. */
export function markdownRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => escaped(cell)));
  return markdownTable([[...head], ...cells], { stringLength: widthOf });
}

/** The parts of a document that are not empty, as paragraphs. */
export function markdownParts(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * Text that stands for itself: names and messages are other people's input, and could hold links and images.
 * Any punctuation may be escaped. https://spec.commonmark.org/0.31.2/#backslash-escapes
 */
export function escaped(text: string, limit?: number): string {
  return printable(text, limit).replace(/[\\`*_[\]<>&|~#]/g, '\\$&');
}

/** Code that may itself hold fences: its own are longer. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
