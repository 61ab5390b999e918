import { printable } from '../../printable.ts';
import { number } from '../amounts.ts';
import { columns, item, paragraph, type Style } from '../columns.ts';
import type { History } from './schema.ts';
import type { Section } from './section.ts';
import { mostRows, sectionsOf } from './sections.ts';
import { caveatsOf, harmOf, summaryOf } from './summary.ts';

/** The history for people: what it comes to, then what asks for something to be done. */
export function renderHistory(history: History, style: Style): string {
  const harm = harmOf(history);
  const sentences = [
    ...summaryOf(history).map((sentence) => paragraph(printable(sentence), style)),
    ...(harm === undefined ? [] : [paragraph(printable(harm), style, 'red')]),
    ...caveatsOf(history).map((caveat) => paragraph(printable(caveat), style, 'yellow')),
  ];
  const sections = sectionsOf(history, style.wide ? Infinity : mostRows);
  const parts = [sentences.join('\n'), ...sections.map((section) => renderSection(section, style))];
  return `${parts.join('\n\n')}\n`;
}

function renderSection({ title, columns: all, rows, more, notes }: Section, style: Style): string {
  const cells = rows.map((row) => row.map((cell) => printable(cell)));
  return [
    paragraph(title, style, 'bold'),
    columns(all, cells, style),
    ...(more > 0 ? [item(`and ${number(more)} more${style.wide ? '' : ' (-o wide)'}`, style, 0)] : []),
    ...notes.map((note) => paragraph(printable(note), style)),
  ].join('\n');
}
