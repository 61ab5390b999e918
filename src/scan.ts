import { type JudgingOptions, judgePods } from './facts/candidates.ts';
import { catchFaults } from './facts/catch-faults.ts';
import { createJobReader } from './facts/job-reader.ts';
import type { Cluster, Connected } from './model/ports.ts';
import type { Emit } from './plan/sweep-event.ts';
import { JudgedPods } from './report/judged-pods.ts';
import { reportScan, reportStuckPod, type Scan } from './report/scan.ts';
import { createSlots } from './util/concurrency.ts';

export interface ScanOptions extends Pick<JudgingOptions, 'policy' | 'self' | 'stop'> {
  readonly cluster: Cluster & Connected;
  readonly emit: Emit;
}

/** Lists and judges pods as a sweep does, and reports those that a sweep would act on. */
export async function scan(options: ScanOptions): Promise<Scan> {
  const judged = new JudgedPods(reportStuckPod);
  const { asOf } = await judgePods(toolsFor(options, judged));
  return reportScan(judged, options.cluster, options.policy, asOf);
}

/** The parts of a search; the fold receives every event. */
export function toolsFor(options: ScanOptions, fold: { hear(event: Parameters<Emit>[0]): void }) {
  const { policy, self, stop } = options;
  const emit: Emit = (event) => {
    fold.hear(event);
    options.emit(event);
  };
  for (const warning of options.cluster.warnings) emit({ kind: 'Warned', warning });
  const cluster = catchFaults(options.cluster, emit);
  const slots = createSlots();
  return { policy, self, stop, emit, cluster, slots, jobs: createJobReader(cluster, emit, slots) };
}
