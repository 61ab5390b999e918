import type { PublishFlags } from '../flags/publish.ts';
import { prepareFile, type WriteText } from './output-file.ts';

/** The files that a sweep writes; undefined if nobody asked for it. */
export interface OutputFiles {
  readonly report: WriteText | undefined;
  readonly metrics: WriteText | undefined;
  readonly terminationMessage: WriteText | undefined;
}

/** Throws UsageError if one of them could not be written. */
export async function prepareFiles({
  reportFile,
  metricsFile,
  terminationMessage,
}: PublishFlags): Promise<OutputFiles> {
  return {
    report: reportFile === undefined ? undefined : await prepareFile(reportFile, 'the report', 'Replace'),
    metrics: metricsFile === undefined ? undefined : await prepareFile(metricsFile, 'metrics', 'Replace'),
    // The kubelet mounts /dev/termination-log, which cannot be replaced.
    terminationMessage:
      terminationMessage === undefined
        ? undefined
        : await prepareFile(terminationMessage, 'the termination message', 'InPlace'),
  };
}
