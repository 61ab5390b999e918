import { printable } from '../../util/text.ts';
import { number } from '../amounts.ts';
import { columns, item, paragraph, type Style } from '../columns.ts';
import { escaped, markdownList, markdownParts, markdownRows } from '../markdown.ts';
import type { History } from './schema.ts';
import { type Section, viewOf } from './view.ts';

/** The rows of a table, but for -o wide. */
const mostRows = 10;

/** The history for a terminal. */
export function renderHistory(history: History, style: Style): string {
  const { summary, harm, caveats, sections } = viewOf(history, style.wide ? Infinity : mostRows);
  const sentences = [
    ...summary.map((sentence) => paragraph(printable(sentence), style)),
    ...harm.map((sentence) => paragraph(printable(sentence), style, 'red')),
    ...caveats.map((sentence) => paragraph(printable(sentence), style, 'yellow')),
  ];
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

/** The history for an issue, a wiki or a chat. */
export function historyMarkdown(history: History): string {
  const { summary, harm, caveats, sections } = viewOf(history, mostRows);
  return markdownParts(
    '# What sweeps found',
    summary.map((sentence) => escaped(sentence)).join('\n'),
    harm.map((sentence) => `**${escaped(sentence)}**`).join('\n'),
    markdownList(caveats),
    ...sections.flatMap(({ title, columns, rows, more, notes }) => [
      `## ${title}`,
      markdownRows(
        columns.map((column) => column.title),
        rows,
      ),
      more > 0 ? `and ${more} more` : '',
      markdownList(notes),
    ]),
  );
}
