import { markdownTable } from 'markdown-table';
import { printable } from '../util/text.ts';
import {
  type Cell,
  type Column,
  columns,
  type Look,
  paragraph,
  type Style,
  textOf,
  widthOf,
} from './columns.ts';
import { number } from './format.ts';

/** A report for people: `viewText` lays it out for a terminal, `viewMarkdown` for a page or an issue. */
export interface View {
  readonly title?: string;
  /** On a terminal, an empty line separates them. Empty ones are left out. */
  readonly sections: readonly (readonly Block[])[];
}

export type Block =
  | { readonly kind: 'Heading'; readonly text: string }
  | { readonly kind: 'Sentences'; readonly texts: readonly string[]; readonly look?: Look }
  /** A list in Markdown. */
  | { readonly kind: 'Items'; readonly items: readonly Item[]; readonly look?: Look }
  | ({ readonly kind: 'Table' } & Table)
  /** On a terminal, it has lines of its own, ready to be copied. */
  | { readonly kind: 'Code'; readonly language: 'sh' | 'yaml'; readonly text: string };

interface Item {
  readonly text: string;
  /** How far it is indented on a terminal. */
  readonly level: 0 | 1 | 2;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly more: number;
}

export interface Field<Row> extends Column {
  of(row: Row): Cell;
}

export function amount<Row>(title: string, of: (row: Row) => number, worth?: number): Field<Row> {
  return { title, isNumber: true, ...(worth !== undefined && { worth }), of: (row) => number(of(row)) };
}

/** A table of rows; a column without a title is left out. */
export function table<Row>(rows: readonly Row[], fields: readonly Field<NoInfer<Row>>[], more = 0) {
  const columns = fields.filter(({ title }) => title !== '');
  const cells = rows.map((row) => columns.map((column) => column.of(row)));
  return { kind: 'Table', columns, rows: cells, more } as const;
}

export function bullets(texts: readonly string[], below: readonly string[] = []): Block {
  const at = (level: Item['level']) => (text: string) => ({ text, level });
  return { kind: 'Items', items: [...texts.map(at(1)), ...below.map(at(2))] };
}

export function sentence(text: string, look?: Look): Block {
  return { kind: 'Sentences', texts: [text], ...(look && { look }) };
}

export function notes(texts: readonly string[], look?: Look): Block {
  return { kind: 'Items', items: texts.map((text) => ({ text, level: 0 }) as const), ...(look && { look }) };
}

export function codeOf(command: string): Block {
  return { kind: 'Code', language: 'sh', text: printable(command, 65_536) };
}

/** In characters: a sentence may hold a message of a server, and an item a whole cure. */
const mostOfText = 4_096;

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
      return block.texts.map((text) => paragraph(printable(text, mostOfText), style, block.look));
    case 'Items':
      return block.items.map(({ text, level }) =>
        paragraph(printable(text, mostOfText), style, block.look, 2 * level),
      );
    case 'Table':
      return tableLines(block, style);
    case 'Code':
      return [block.text];
  }
}

function tableLines({ columns: all, rows, more }: Table, style: Style): readonly string[] {
  if (rows.length === 0) return [];
  const rest =
    more > 0 ? [paragraph(`and ${number(more)} more${style.wide ? '' : ' (-o wide)'}`, style)] : [];
  return [columns(all, rows, style), ...rest];
}

export function viewMarkdown({ title, sections }: View): string {
  const parts = sections
    .flat()
    .map(markdownOf)
    .filter((part) => part !== '');
  if (parts.length === 0) return '';
  return `${[...(title === undefined ? [] : [`# ${title}`]), ...parts].join('\n\n')}\n`;
}

function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'Heading':
      return `## ${escaped(block.text)}`;
    case 'Sentences':
      return block.texts
        .map((text) => escaped(text, mostOfText))
        .map((text) => (block.look === 'red' ? `**${text}**` : text))
        .join('\n');
    case 'Items':
      return block.items
        .map(({ text, level }) => `${level === 2 ? '  ' : ''}- ${escaped(text, mostOfText)}`)
        .join('\n');
    case 'Table':
      return tableMarkdown(block);
    case 'Code':
      return fenced(block.text, block.language);
  }
}

function tableMarkdown({ columns, rows, more }: Table): string {
  if (rows.length === 0) return '';
  const shown = [...columns.keys()].filter((index) => !columns[index]?.isWide);
  const texts = rows.map((row) => shown.map((index) => textOf(row[index] ?? '')));
  const head = shown.map((index) => columns[index]?.title ?? '');
  return markdownRows(head, texts) + (more > 0 ? `\n\nand ${number(more)} more` : '');
}

/** Rows as a table in GitHub's Markdown, aligned so that its source is readable, too. */
export function markdownRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => escaped(cell)));
  return markdownTable([[...head], ...cells], { stringLength: widthOf });
}

/** Names could contain links and images. https://spec.commonmark.org/0.31.2/#backslash-escapes */
export function escaped(text: string, limit?: number): string {
  return printable(text, limit).replace(/[\\`*_[\]<>&|~#]/g, '\\$&');
}

/** A block of code. Its fence is longer than any in the code. https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}
