import { createReadStream } from 'node:fs';
import { exitCodeOf, exitCodes } from '../../report/exit-code.ts';
import { historyOf } from '../../report/history/history.ts';
import { historyView } from '../../report/history/view.ts';
import { type ReadReports, readReports } from '../../report/records/read.ts';
import { describeTruncated, describeUnreadable } from '../../report/records/rebuild.ts';
import { mergeReports } from '../../report/sweep/merge.ts';
import { isGap } from '../../report/texts/warnings.ts';
import { UsageError, unreadable } from '../../util/usage-error.ts';
import type { FlagsOf } from '../flags.ts';
import { complain, type Io } from '../io.ts';
import { formatOfSweep, type Printout, printOut, sweepPrintout } from '../output.ts';

export async function runReport(files: readonly string[], flags: FlagsOf<'report'>, io: Io): Promise<number> {
  const { reports, ...lines } = await readFiles(files, io);
  const history = historyOf(reports, lines);
  const printout: Printout = {
    document: history,
    view: (style) => historyView(history, style),
    html: async () => {
      const { renderHtml } = await import('../../report/html/render.tsx');
      return renderHtml(history, reports);
    },
  };
  await printOut(printout, flags, io);
  return exitCodes.resolved;
}

export async function runMerge(files: readonly string[], flags: FlagsOf<'report merge'>, io: Io) {
  const { reports, lost } = await readFiles(files, io);
  const report = mergeReports(reports, lost);
  for (const { message } of report.unread.filter(isGap)) await complain(io, message);
  await printOut(sweepPrintout(report, flags), { ...flags, output: formatOfSweep(flags, io) }, io);
  return exitCodeOf(report, flags.failOn);
}

async function readFiles(named: readonly string[], { stdin, program }: Io): Promise<ReadReports> {
  const files = named.length > 0 ? named : ['-'];
  const nameOf = (file: string) => (file === '-' ? 'stdin' : file);
  if (files.includes('-') && stdin.isTTY) {
    throw new UsageError(`name files to read, or pipe them in: kubectl logs ... | ${program} report`);
  }
  const read = await readReports(files.map((file) => ({ name: nameOf(file), lines: linesIn(file, stdin) })));
  if (read.reports.length > 0) return read;
  const where = files.length > 1 ? `any of the ${files.length} files` : nameOf(files[0] ?? '-');
  const found = describeUnreadable(read.unreadable);
  const lost = 'the last record of each run is missing: pass the whole log (--tail=-1)';
  const problems = [
    ...(found.length > 0 ? found : [`there is no report in ${where}`]),
    ...(read.truncated > 0 ? [describeTruncated(read)] : []),
    ...(read.unfinished > 0 ? [lost] : []),
  ];
  throw new UsageError(problems.join('; '));
}

async function* linesIn(file: string, stdin: Io['stdin']): AsyncGenerator<string> {
  try {
    yield* linesOf(file === '-' ? stdin : createReadStream(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

export async function* linesOf(chunks: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    if (end >= 0) yield* (rest + text.slice(0, end)).split('\n');
    rest = end < 0 ? rest + text : text.slice(end + 1);
  }
  if (rest !== '') yield rest;
}
