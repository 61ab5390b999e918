import { createReadStream } from 'node:fs';
import { type ReadReports, readReports } from '../../report/records/read.ts';
import { describeTruncated, describeUnreadable } from '../../report/records/unreadable.ts';
import { UsageError, unreadable } from '../../util/usage-error.ts';
import { usualCaller } from '../help.ts';
import { linesOf } from '../lines.ts';
import type { Surroundings } from '../surroundings.ts';

/** The reports of files; `-` is stdin. Throws UsageError if one cannot be read, or there is no report in any of them. */
export async function reportsOfFiles(
  files: readonly string[],
  { stdin, program = usualCaller.program }: Pick<Surroundings, 'stdin' | 'program'>,
): Promise<ReadReports> {
  // Whoever forgets what to read would wait for ever.
  if (files.includes('-') && stdin.isTTY) {
    throw new UsageError(`name files to read, or pipe them in: kubectl logs ... | ${program} report`);
  }
  const read = await readReports(files.map((file) => ({ name: nameOf(file), lines: linesIn(file, stdin) })));
  if (read.reports.length === 0) throw new UsageError(whyNone(files, read));
  return read;
}

async function* linesIn(file: string, stdin: Surroundings['stdin']): AsyncGenerator<string> {
  try {
    yield* linesOf(file === '-' ? stdin : createReadStream(file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function nameOf(file: string): string {
  return file === '-' ? 'stdin' : file;
}

function whyNone(files: readonly string[], read: ReadReports): string {
  const [file = '-'] = files;
  const where = files.length > 1 ? `any of the ${files.length} files` : nameOf(file);
  const found = describeUnreadable(read.unreadable);
  return [
    ...(found.length > 0 ? found : [`there is no report in ${where}`]),
    ...(read.truncated > 0 ? [describeTruncated(read)] : []),
    ...(read.unfinished > 0
      ? ['the last record of each run is missing: take the whole log (--tail=-1)']
      : []),
  ].join('; ');
}
