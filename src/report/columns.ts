import { styleText } from 'node:util';
import Table from 'cli-table3';

/** How a text for people is written. */
export interface Style {
  readonly colour: boolean;
  /** The columns of the terminal; undefined if there is no terminal, or it does not know. */
  readonly width: number | undefined;
  /** Whether to show what takes much room, as with -o wide. */
  readonly wide: boolean;
}

type Look = 'green' | 'yellow' | 'red' | 'bold';

/** Applies a style to a text, or leaves it plain if colour is off. */
export type Paint = (look: Look, text: string) => string;

export function paintIf({ colour }: Pick<Style, 'colour'>): Paint {
  return (look, text) => (colour ? styleText(look, text, { validateStream: false }) : text);
}

/** Rows in columns, as in kubectl, without borders; the head is bold. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[], paint: Paint): string {
  const table = new Table({
    head: head.map((title) => paint('bold', title)),
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 3 },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
