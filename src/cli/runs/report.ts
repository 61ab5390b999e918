import { historyOf } from '../../report/history/history.ts';
import { distinct } from '../../report/history/sweeps.ts';
import { historyMarkdown, renderHistory } from '../../report/history/text.ts';
import { type OutputFlags, type Said, say } from '../output.ts';
import type { Surroundings } from '../surroundings.ts';
import { reportsOfFiles } from './files.ts';

export async function runReport(
  files: readonly string[],
  flags: OutputFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { reports, ...lines } = await reportsOfFiles(files, surroundings);
  const history = historyOf(reports, lines);
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
