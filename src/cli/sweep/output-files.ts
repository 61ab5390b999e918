import { UsageError } from '../../util/usage-error.ts';
import type { PublishFlags } from '../flags/publish.ts';
import { fileAt, prepareFile, type WriteText } from './output-file.ts';

/** The files that a sweep writes; undefined if nobody asked for it. */
export interface OutputFiles {
  readonly report: WriteText | undefined;
  readonly metrics: WriteText | undefined;
  readonly terminationMessage: WriteText | undefined;
}

/** Throws UsageError if one of them could not be written, or two are the same. */
export async function prepareFiles(flags: PublishFlags): Promise<OutputFiles> {
  const { reportFile, metricsFile, terminationMessage } = flags;
  const files: OutputFiles = {
    report: reportFile === undefined ? undefined : await prepareFile(reportFile, 'the report', 'Replace'),
    metrics: metricsFile === undefined ? undefined : await prepareFile(metricsFile, 'metrics', 'Replace'),
    // The kubelet mounts /dev/termination-log, which cannot be replaced.
    terminationMessage:
      terminationMessage === undefined
        ? undefined
        : await prepareFile(terminationMessage, 'the termination message', 'InPlace'),
  };
  await refuseSame(flags);
  return files;
}

/** What is written last would take the place of the other. */
async function refuseSame({ reportFile, metricsFile, terminationMessage }: PublishFlags): Promise<void> {
  const named = [
    ['--report-file', reportFile],
    ['--metrics-file', metricsFile],
    ['--termination-message', terminationMessage],
  ] as const;
  const flagOf = new Map<string, string>();
  for (const [flag, path] of named) {
    const file = path === undefined ? undefined : await fileAt(path);
    if (file === undefined) continue;
    const other = flagOf.get(file);
    if (other !== undefined) throw new UsageError(`${other} and ${flag} name the same file; use two`);
    flagOf.set(file, flag);
  }
}
