import { escaped, markdownList, markdownParts, markdownRows } from '../markdown.ts';
import type { History } from './schema.ts';
import type { Section } from './section.ts';
import { mostRows, sectionsOf } from './sections.ts';
import { caveatsOf, harmOf, summaryOf } from './summary.ts';

/** The history for a page, an issue or a chat. */
export function historyMarkdown(history: History): string {
  const harm = harmOf(history);
  return markdownParts(
    '# What sweeps found',
    summaryOf(history)
      .map((sentence) => escaped(sentence))
      .join('\n'),
    harm === undefined ? '' : `**${escaped(harm)}**`,
    markdownList(caveatsOf(history)),
    ...sectionsOf(history, mostRows).flatMap(partsOf),
  );
}

function partsOf({ title, columns, rows, more, notes }: Section): readonly string[] {
  const head = columns.map((column) => column.title);
  return [
    `## ${title}`,
    markdownRows(head, rows),
    ...(more > 0 ? [`and ${more} more`] : []),
    markdownList(notes),
  ];
}
