import { styleText } from 'node:util';
import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { printable } from '../util/text.ts';

export interface Style {
  readonly colour: boolean;
  /** The columns of the terminal; undefined without a terminal, or if its width is unknown. */
  readonly width: number | undefined;
  /** Whether to show wide columns too, as with -o wide. */
  readonly wide: boolean;
}

export type Look = 'green' | 'yellow' | 'red' | 'bold';

export interface Column {
  readonly title: string;
  /** If not all columns fit, those worth most are kept. One without a worth always stays. */
  readonly worth?: number;
  /** Whether its cells are sentences: a column that gives way is left out, but sentences go below their row. */
  readonly isProse?: true;
  /** Whether it is a part of the name of the row, as a namespace and a pod are. */
  readonly isName?: true;
  readonly isWide?: true;
  readonly isNumber?: true;
}

export type Cell = string | { readonly look: Look | undefined; readonly text: string };

export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

export function paint({ colour }: Pick<Style, 'colour'>, look: Look | undefined, text: string): string {
  return colour && look && text !== '' ? styleText(look, text, { validateStream: false }) : text;
}

export function paragraph(text: string, style: Style, look?: Look, indent = 0): string {
  return within(text, style.width, indent)
    .map((line) => paint(style, look, line))
    .join('\n');
}

/** Rows in columns, as in kubectl, without borders; the head is bold. */
export function columns(all: readonly Column[], rows: readonly (readonly Cell[])[], style: Style): string {
  // Empty columns would waste the width of a terminal; programs that read a pipe count on every column.
  const indexes = (style.width === undefined ? [...all.keys()] : saying(all, rows)).filter(
    (index) => style.wide || !all[index]?.isWide,
  );
  const shown = indexes.flatMap((index) => all[index] ?? []);
  const texts = rows.map((row) => indexes.map((index) => phraseOf(row[index] ?? '')));
  const arrangement = arrange(shown, texts, style);
  const lines = arrangement
    ? inRows(shown, texts, arrangement, style)
    : texts.flatMap((row) => inBlock(shown, row, style));
  return lines.join('\n');
}

/** The columns in which any cell is neither empty nor 0. */
export function saying(all: readonly Column[], rows: readonly (readonly Cell[])[]): readonly number[] {
  const nothing = (index: number) => (all[index]?.isNumber ? ['', '0'] : ['']);
  return [...all.keys()].filter((index) =>
    rows.some((row) => !nothing(index).includes(textOf(row[index] ?? ''))),
  );
}

type Phrase = ReturnType<typeof phraseOf>;

/** A cell, and the part of it that is shown if not all of it fits: of `blocked: why`, only `blocked`. */
function phraseOf(cell: Cell) {
  const text = printable(textOf(cell));
  const look = typeof cell === 'string' ? undefined : cell.look;
  const [, head = text, tail = ''] = /^(.*?)(?:: | (?=\())(.*)$/.exec(text) ?? [];
  return { text, head, tail, look };
}

/** The width of each column, undefined if the column is left out, and of the gaps between them. */
type Arrangement = NonNullable<ReturnType<typeof arrange>>;

const wideGap = 3;
const narrowGap = 2;

/** The columns that fit. With -o wide only sentences give way; undefined if the columns that always stay do not fit in one line. */
function arrange(shown: readonly Column[], rows: readonly (readonly Phrase[])[], { width, wide }: Style) {
  const widest = (index: number, of: (phrase: Phrase) => string) =>
    rows.reduce(
      (most, row) => Math.max(most, widthOf(of(row[index] ?? phraseOf('')))),
      widthOf(shown[index]?.title ?? ''),
    );
  const full = shown.map((_, index) => widest(index, ({ text }) => text));
  if (width === undefined || total(full, wideGap) <= width) return { gap: wideGap, widths: full };
  const brief = shown.map(({ isProse }, index) =>
    widest(index, isProse ? ({ head }) => head : ({ text }) => text),
  );
  const giving = [...shown.entries()]
    .filter(([, { worth, isProse }]) => worth !== undefined && (!wide || isProse))
    .sort(([, a], [, b]) => (b.worth ?? 0) - (a.worth ?? 0))
    .map(([index]) => index);
  const gone = new Set(giving);
  const kept = (sizes: readonly number[]) => sizes.map((one, index) => (gone.has(index) ? undefined : one));
  const fits = (sizes: readonly number[]) => total(kept(sizes), narrowGap) <= width;
  if (!fits(brief)) return undefined;
  // After one did not fit, those worth less are kept only if the sentences stay whole.
  let sizes: readonly number[] = brief;
  for (const index of giving) {
    gone.delete(index);
    if (fits(sizes)) continue;
    gone.add(index);
    sizes = full;
  }
  let spare = width - total(kept(brief), narrowGap);
  // What is left goes to the sentences, to the first of them first.
  const widths = kept(brief).map((one, index) => {
    const more = Math.min(spare, (full[index] ?? 0) - (one ?? 0));
    if (one === undefined) return undefined;
    spare -= more;
    return one + more;
  });
  return { gap: narrowGap, widths };
}

function total(widths: readonly (number | undefined)[], gap: number): number {
  return widths.reduce<number>((sum, width) => (width === undefined ? sum : sum + width + gap), -gap);
}

function inRows(
  shown: readonly Column[],
  rows: readonly (readonly Phrase[])[],
  { gap, widths }: Arrangement,
  style: Style,
): readonly string[] {
  const line = (cells: readonly Phrase[]) =>
    cells
      .flatMap(({ text, head, look }, index) => {
        const width = widths[index];
        if (width === undefined) return [];
        const fitting = widthOf(text) <= width ? text : head;
        return [paint(style, look, fitting) + ' '.repeat(Math.max(0, width - widthOf(fitting)))];
      })
      .join(' '.repeat(gap))
      .trimEnd();
  const below = ({ text, head, tail }: Phrase, index: number): readonly string[] => {
    const width = widths[index];
    if (width === undefined ? !shown[index]?.isProse : widthOf(text) <= width) return [];
    const rest = width === undefined ? text : tail || text.slice(head.length);
    return rest === '' ? [] : within(rest, style.width, 2);
  };
  const titles = shown.map(({ title }) => phraseOf({ text: title, look: 'bold' }));
  return [line(titles), ...rows.flatMap((row) => [line(row), ...row.flatMap(below)])];
}

/** A row whose cells stand below its name: the short ones side by side as far as they fit, sentences for themselves. */
function inBlock(shown: readonly Column[], row: readonly Phrase[], style: Style): readonly string[] {
  const name: string[] = [];
  const short: string[] = [];
  const prose: string[] = [];
  const available = (style.width ?? Number.POSITIVE_INFINITY) - 2;
  for (const [index, { title, isName = index === 0, isProse }] of shown.entries()) {
    const { text = '', look } = row[index] ?? {};
    if (text === '') continue;
    const labelled = `${title.toLowerCase()}: ${text}`;
    const beside = `${short.at(-1)}   ${labelled}`;
    if (isName) name.push(text);
    else if (isProse) prose.push(...within(labelled, style.width, 2).map((line) => paint(style, look, line)));
    else if (short.length > 0 && widthOf(beside) <= available) short.splice(-1, 1, beside);
    else short.push(labelled);
  }
  return [
    ...wrap(name.join('/'), style.width).map((line) => paint(style, 'bold', line)),
    ...short.flatMap((line) => within(line, style.width, 2)),
    ...prose,
  ];
}

function within(text: string, width: number | undefined, indent: number): readonly string[] {
  const available = width === undefined ? undefined : Math.max(1, width - indent);
  return wrap(text, available).map((line) => indented(line, width, indent));
}

/** How many columns of a terminal a text takes. Most are plain ASCII, which need not be looked at more closely. */
export function widthOf(text: string): number {
  return /^[ -~]*$/.test(text) ? text.length : stringWidth(text);
}

/** No line is longer than the width, unless a single word is; all but the first are indented, if they can be. */
export function wrap(text: string, width: number | undefined, indent = 2): readonly string[] {
  if (width === undefined || widthOf(text) <= width) return [text];
  const [first = '', ...others] = wrapAnsi(text, width, { hard: false }).split('\n');
  if (others.length === 0) return [first];
  const rest = wrapAnsi(others.join(' '), Math.max(1, width - indent), { hard: false }).split('\n');
  return [first, ...rest.map((line) => indented(line, width, indent))];
}

function indented(line: string, width: number | undefined, indent: number): string {
  const available = width === undefined ? indent : Math.max(0, width - widthOf(line));
  return ' '.repeat(Math.min(indent, available)) + line;
}
