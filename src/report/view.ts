import { markdownTable } from 'markdown-table';
import { printable } from '../util/text.ts';
import {
  type Cell,
  type Column,
  columns,
  indented,
  item,
  type Look,
  paragraph,
  type Style,
  widthOf,
} from './columns.ts';
import { number } from './format.ts';

/** What a report says to people, which `viewText` lays out for a terminal, and `viewMarkdown` for a page or an issue. */
export interface View {
  /** What a page begins with. */
  readonly title?: string;
  /** Terminals have an empty line between them. What is empty is left out. */
  readonly sections: readonly (readonly Block[])[];
}

export type Block =
  | { readonly kind: 'Heading'; readonly text: string }
  /** Sentences that belong together. */
  | {
      readonly kind: 'Sentences';
      readonly texts: readonly string[];
      readonly look?: Look;
      readonly isLoud?: true;
    }
  /** Sentences, each about something else: a list in Markdown. */
  | { readonly kind: 'Notes'; readonly texts: readonly string[]; readonly look?: Look }
  | {
      readonly kind: 'Items';
      readonly items: readonly Item[];
      /** They are not cut, however long they are. */
      readonly isWhole?: true;
    }
  | Table
  /** On a terminal it stands alone on its lines, to be copied. */
  | { readonly kind: 'Code'; readonly language: 'sh' | 'yaml'; readonly text: string };

export interface Item {
  readonly text: string;
  /** How deep it is in the list: 1 or 2. */
  readonly level: number;
}

interface Table {
  readonly kind: 'Table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many more rows there are. */
  readonly more?: number;
  /** Whether it belongs to what stands above it: a terminal shows its rows there, without titles. */
  readonly isInner?: true;
  /** What a terminal shows instead, if the cells are too long for columns. */
  readonly items?: readonly Item[];
}

export function sentence(text: string, look?: Look): Block {
  return { kind: 'Sentences', texts: [text], ...(look && { look }) };
}

export function notes(texts: readonly string[], look?: Look): Block {
  return { kind: 'Notes', texts, ...(look && { look }) };
}

/** Longer than any command that the program makes. */
const longest = 65_536;

/** A view in lines that fit a terminal. */
export function viewText({ sections }: View, style: Style): string {
  const parts = sections
    .map((blocks) => blocks.flatMap((block) => linesOf(block, style)))
    .filter((lines) => lines.length > 0);
  return parts.length === 0 ? '' : `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function linesOf(block: Block, style: Style): readonly string[] {
  switch (block.kind) {
    case 'Heading':
      return [paragraph(printable(block.text), style, 'bold')];
    case 'Sentences':
    case 'Notes':
      return block.texts.map((text) => paragraph(printable(text), style, block.look));
    case 'Items':
      return itemLines(block.items, style, block.isWhole && longest);
    case 'Table':
      return block.items ? itemLines(block.items, style, longest) : tableLines(block, style);
    case 'Code':
      return [block.text];
  }
}

function itemLines(items: readonly Item[], style: Style, limit: number | undefined): readonly string[] {
  return items.map(({ text, level }) => item(printable(text, limit), style, 2 * level));
}

function tableLines({ columns: all, rows, more = 0, isInner }: Table, style: Style): readonly string[] {
  if (rows.length === 0) return [];
  const cells = rows.map((row) => row.map(printableCell));
  const rest = more > 0 ? [item(`and ${number(more)} more${style.wide ? '' : ' (-o wide)'}`, style, 0)] : [];
  if (!isInner) return [columns(all, cells, style), ...rest];
  const inner = { ...style, width: style.width && Math.max(1, style.width - 2) };
  const untitled = all.map((column) => ({ ...column, title: '' }));
  const lines = columns(untitled, cells, inner).split('\n');
  return [...lines.map((line) => indented(line, style.width, 2)), ...rest];
}

function printableCell(cell: Cell): Cell {
  return typeof cell === 'string' ? printable(cell) : { ...cell, text: printable(cell.text) };
}

/** A view as GitHub's Markdown. */
export function viewMarkdown({ title, sections }: View): string {
  const parts = sections.flat().flatMap(markdownOf);
  return parts.length === 0 ? '' : markdownParts(title === undefined ? '' : `# ${title}`, ...parts);
}

function markdownOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'Heading':
      return [`## ${escaped(block.text)}`];
    case 'Sentences':
      return [block.texts.map((text) => (block.isLoud ? `**${escaped(text)}**` : escaped(text))).join('\n')];
    case 'Notes':
      return [block.texts.map((text) => `- ${escaped(text)}`).join('\n')];
    case 'Items': {
      const limit = block.isWhole && longest;
      return [
        block.items.map(({ text, level }) => `${'  '.repeat(level - 1)}- ${escaped(text, limit)}`).join('\n'),
      ];
    }
    case 'Table':
      return tableParts(block);
    case 'Code':
      return [fenced(block.text, block.language)];
  }
}

/** Without the columns of -o wide. */
function tableParts({ columns, rows, more = 0 }: Table): readonly string[] {
  if (rows.length === 0) return [];
  const shown = [...columns.keys()].filter((index) => !columns[index]?.isWide);
  const textOf = (cell: Cell = '') => (typeof cell === 'string' ? cell : cell.text);
  const table = markdownRows(
    shown.map((index) => columns[index]?.title ?? ''),
    rows.map((row) => shown.map((index) => textOf(row[index]))),
  );
  return [table, ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Rows as a table of GitHub's Markdown, aligned so that it reads well as it is. */
export function markdownRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => escaped(cell)));
  return markdownTable([[...head], ...cells], { stringLength: widthOf });
}

/** The parts of a document that are not empty, as paragraphs. */
function markdownParts(...parts: readonly string[]): string {
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
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
