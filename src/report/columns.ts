import { styleText } from 'node:util';
import Table from 'cli-table3';

type Style = 'green' | 'yellow' | 'red' | 'bold';

/** Applies a style to a text, or leaves it plain if colour is off. */
export type Paint = (style: Style, text: string) => string;

export function paintIf(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
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
