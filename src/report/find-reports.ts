import { type SweepReport, sweepReport } from './schema.ts';

/**
 * The reports in a text, which may be the log of a pod: there the lines of stdout and stderr are mixed. A report
 * is laid out so that it can be told from log lines: it begins with a line `{`, ends with `}`, and every line
 * between is indented. One that a tool has put on a single line is found as well.
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

/** None when it is something else. */
function readReport(text: string): readonly SweepReport[] {
  try {
    const { data } = sweepReport.safeParse(JSON.parse(text));
    return data ? [data] : [];
  } catch {
    return [];
  }
}
