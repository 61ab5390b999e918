import { distinct } from '../../history/distinct.ts';
import { historyOf } from '../../history/history.ts';
import { historyMarkdown } from '../../report/history/markdown.ts';
import { renderHistory } from '../../report/history/text.ts';
import { readReports } from '../../report/records/read.ts';
import { UsageError } from '../../usage-error.ts';
import type { PriceFlags } from '../flags/prices.ts';
import { type OutputFlags, type Said, say } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';
import { linesOfFiles } from './files.ts';

/** What all reports in these files say together. */
export async function runReport(
  files: readonly string[],
  flags: OutputFlags & PriceFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { reports, ...lines } = await readReports(linesOfFiles(files, surroundings));
  if (reports.length === 0) throw new UsageError(whatIsMissing(files, lines.unfinished));
  const history = historyOf(reports, flags, lines);
  const said: Said = {
    document: history,
    table: (style) => renderHistory(history, style),
    markdown: () => historyMarkdown(history),
    html: async () => {
      const { renderHtml } = await import('../../report/html/render.tsx');
      return renderHtml(history, distinct(reports));
    },
  };
  await say(said, flags, surroundings);
  return 0;
}

function whatIsMissing(files: readonly string[], unfinished: number): string {
  const [file = '-'] = files;
  const where = files.length > 1 ? `any of the ${files.length} files` : file === '-' ? 'stdin' : file;
  const cut =
    unfinished > 0 ? '; the last record of each run is missing: take the whole log (--tail=-1)' : '';
  return `there is no report in ${where}${cut}`;
}
