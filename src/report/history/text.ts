import { printable } from '../../printable.ts';
import { columns, paintIf, type Style } from '../columns.ts';
import type { History } from './schema.ts';
import { sectionsOf } from './sections.ts';
import { caveatsOf, harmOf, summaryOf } from './summary.ts';

/** Of each table, as many rows as one looks at. */
const mostRows = 10;

/** The history for people: what it comes to, then what asks for something to be done. */
export function renderHistory(history: History, style: Style): string {
  const paint = paintIf(style);
  const harm = harmOf(history);
  const sections = sectionsOf(history, style.wide ? Infinity : mostRows);
  const parts = [
    [
      ...summaryOf(history).map((sentence) => printable(sentence)),
      ...(harm === undefined ? [] : [paint('red', printable(harm))]),
      ...caveatsOf(history).map((caveat) => paint('yellow', printable(caveat))),
    ],
    ...sections.map(({ title, columns: all, rows, more, notes }) => [
      paint('bold', title),
      columns(
        all.map((column) => column.title),
        rows.map((row) => row.map((cell) => printable(cell))),
        paint,
      ),
      ...(more > 0 ? [`and ${more} more${style.wide ? '' : ' (-o wide)'}`] : []),
      ...notes.map((note) => printable(note)),
    ]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
