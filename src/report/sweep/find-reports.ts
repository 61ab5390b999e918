import * as z from 'zod';
import { type SweepReport, sweepReport } from '../schema.ts';

const list = z.object({ kind: z.literal('SweepReportList'), items: z.array(z.unknown()) });

/**
 * The reports in a text, which may be the log of a pod, with the lines of stdout and stderr mixed. Unlike a
 * log line, a report begins with a line `{`, ends with a line `}`, and all lines between are indented. A
 * report on a single line is found too, as are the reports of a list.
 */
export function findReports(text: string): readonly SweepReport[] {
  const reports: SweepReport[] = [];
  let lines: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (line === '{') lines = [line];
    else if (line === '}' && lines) {
      reports.push(...readReport([...lines, line].join('\n')));
      lines = undefined;
    } else if (line.startsWith('  ')) lines?.push(line);
    else if (/"SweepReport(List)?"/.test(line)) reports.push(...readReport(line));
  }
  return reports;
}

/** Empty if it is not a report. */
function readReport(text: string): readonly SweepReport[] {
  try {
    const document: unknown = JSON.parse(text);
    const items = list.safeParse(document).data?.items ?? [document];
    return items.flatMap((item) => sweepReport.safeParse(item).data ?? []);
  } catch {
    return [];
  }
}
