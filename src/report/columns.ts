import { styleText } from 'node:util';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { type Arrangement, arrange, type Column } from './arrange.ts';

/** How a text for people is written. */
export interface Style {
  readonly colour: boolean;
  /** The columns of the terminal; undefined if there is no terminal, or it does not know. */
  readonly width: number | undefined;
  /** Whether to show what takes much room, as with -o wide. */
  readonly wide: boolean;
}

export type Look = 'green' | 'yellow' | 'red' | 'bold';

/** Applies a style to a text, or leaves it plain if colour is off. */
export type Paint = (look: Look, text: string) => string;

export function paintIf({ colour }: Pick<Style, 'colour'>): Paint {
  return (look, text) => (colour ? styleText(look, text, { validateStream: false }) : text);
}

/** A sentence in lines that fit. */
export function paragraph(text: string, style: Style, look?: Look): string {
  const paint = paintIf(style);
  return wrap(text, style.width)
    .map((line) => (look ? paint(look, line) : line))
    .join('\n');
}

/** A sentence that belongs to what stands above it. */
export function item(text: string, { width }: Style, indent = 2): string {
  return within(text, width, indent).join('\n');
}

/** One text of a row. */
export type Cell = string | { readonly look: Look; readonly text: string };

/** Rows in columns, as in kubectl, without borders; the head is bold. */
export function columns(all: readonly Column[], rows: readonly (readonly Cell[])[], style: Style): string {
  const isSaid = (index: number) => rows.some((row) => phraseOf(row[index] ?? '').text !== '');
  // A terminal has no room for a column without a word in it; programs that read a pipe count on every column.
  const indexes = [...all.keys()].filter(
    (index) => (style.wide || !all[index]?.isWide) && (style.width === undefined || isSaid(index)),
  );
  const shown = indexes.flatMap((index) => all[index] ?? []);
  const texts = rows.map((row) => indexes.map((index) => phraseOf(row[index] ?? '')));
  const extents = shown.map((column, index) => {
    const cells = texts.flatMap((row) => row[index] ?? []);
    const full = longest([column.title, ...cells.map(({ text }) => text)]);
    return {
      column,
      full,
      brief: column.isProse ? longest([column.title, ...cells.map(({ head }) => head)]) : full,
    };
  });
  const arrangement = arrange(extents, style);
  const lines =
    arrangement.kind === 'Blocks'
      ? texts.flatMap((row) => block(shown, row, style))
      : inRows(shown, texts, arrangement, style);
  return lines.join('\n');
}

/** A cell, and what of it stands in the row if there is no room for all: of `blocked: why`, only `blocked`. */
interface Phrase {
  readonly text: string;
  readonly head: string;
  readonly tail: string;
  readonly look: Look | undefined;
}

function phraseOf(cell: Cell): Phrase {
  const { text, look } = typeof cell === 'string' ? { text: cell, look: undefined } : cell;
  const [, head = text, tail = ''] = /^(.*?)(?:: | (?=\())(.*)$/.exec(text) ?? [];
  return { text, head, tail, look };
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

function inRows(
  shown: readonly Column[],
  rows: readonly (readonly Phrase[])[],
  { gap, widths }: Extract<Arrangement, { readonly kind: 'Rows' }>,
  style: Style,
): readonly string[] {
  const paint = paintIf(style);
  const line = (cells: readonly Phrase[]) =>
    cells
      .flatMap(({ text, head, look }, index) => {
        const width = widths[index];
        if (width === undefined) return [];
        const shown = widthOf(text) <= width ? text : head;
        const padding = ' '.repeat(Math.max(0, width - widthOf(shown)));
        return [(look && shown !== '' ? paint(look, shown) : shown) + padding];
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const below = ({ text, head, tail }: Phrase, index: number): string => {
    const width = widths[index];
    if (width === undefined) return shown[index]?.isProse ? text : '';
    return widthOf(text) <= width ? '' : tail === '' ? text.slice(head.length) : tail;
  };
  const titles = shown.map(({ title }) => phraseOf({ text: title, look: 'bold' }));
  return [
    ...(shown.some(({ title }) => title !== '') ? [line(titles)] : []),
    ...rows.flatMap((row) => [
      line(row),
      ...row.map(below).flatMap((text) => (text === '' ? [] : within(text, style.width, 2))),
    ]),
  ];
}

/** A row whose cells stand below its name: the short ones side by side as far as they fit, sentences for themselves. */
function block(shown: readonly Column[], row: readonly Phrase[], style: Style): readonly string[] {
  const paint = paintIf(style);
  const name: string[] = [];
  const short: string[] = [];
  const prose: string[] = [];
  for (const [index, { title, isName = index === 0, isProse }] of shown.entries()) {
    const { text = '', look } = row[index] ?? {};
    if (text === '') continue;
    const labelled = title === '' ? text : `${title.toLowerCase()}: ${text}`;
    if (isName) name.push(text);
    else if (isProse)
      prose.push(...within(labelled, style.width, 2).map((line) => (look ? paint(look, line) : line)));
    else short.push(labelled);
  }
  const room = (style.width ?? Number.POSITIVE_INFINITY) - 2;
  return [
    ...wrap(name.join('/'), style.width).map((line) => paint('bold', line)),
    ...sideBySide(short, room).flatMap((line) => within(line, style.width, 2)),
    ...prose,
  ];
}

/** As many in a line as fit, none of them broken. */
function sideBySide(texts: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const joined = `${lines.at(-1)}   ${text}`;
    if (lines.length > 0 && widthOf(joined) <= room) lines.splice(-1, 1, joined);
    else lines.push(text);
  }
  return lines;
}

function within(text: string, width: number | undefined, indent: number): readonly string[] {
  const room = width === undefined ? undefined : Math.max(1, width - indent);
  return wrap(text, room).map((line) => indented(line, width, indent));
}

/** How many columns of a terminal a text takes. Most are plain ASCII, which need not be looked at more closely. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/**
 * The lines of a text, none longer than the terminal is wide, unless a single word is. All but the first are indented, as far as
 * there is room. Without a width, it is one line.
 */
export function wrap(text: string, width: number | undefined, indent = 2): readonly string[] {
  if (width === undefined || widthOf(text) <= width) return [text];
  const [first = '', ...others] = wrapAnsi(text, width, { hard: false }).split('\n');
  if (others.length === 0) return [first];
  const room = width - indent;
  const rest = wrapAnsi(others.join(' '), Math.max(1, room), { hard: false }).split('\n');
  return [first, ...rest.map((line) => indented(line, width, indent))];
}

/** A line that stands below another one. */
export function indented(line: string, width: number | undefined, indent: number): string {
  const room = width === undefined ? indent : Math.max(0, width - widthOf(line));
  return ' '.repeat(Math.min(indent, room)) + line;
}
