import { type SweepReport, sweepReport } from '../schema.ts';

/**
 * The reports in a text, which may be the log of a pod, with the lines of stdout and stderr mixed. Unlike a
 * log line, a report begins with a line `{`, ends with a line `}`, and all lines between are indented. A
 * report on a single line is found too.
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
    else if (line.includes('"SweepReport"')) reports.push(...readReport(line));
  }
  return reports;
}

/** Empty if it is not a report. */
function readReport(text: string): readonly SweepReport[] {
  try {
    const { data } = sweepReport.safeParse(JSON.parse(text));
    return data ? [data] : [];
  } catch {
    return [];
  }
}
