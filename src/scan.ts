import { createSlots } from './apply/slots.ts';
import { createJobReader } from './gather/jobs.ts';
import { type LookOptions, look } from './look.ts';
import type { Clock, Cluster, Emit } from './ports.ts';
import { ReportFold } from './report/fold.ts';
import { reportScan, type Scan } from './report/scan.ts';
import type { RunInfo } from './vocabulary.ts';

export interface ScanOptions extends Pick<LookOptions, 'policy' | 'self' | 'stop'> {
  readonly run: RunInfo;
  readonly cluster: Pick<Cluster, 'listPods' | 'readNode' | 'readJob'>;
  readonly clock: Clock;
  /** Hears what happens on the way. */
  readonly emit: Emit;
  /** Requests in flight at a time. */
  readonly concurrency: number;
}

/** The look of a sweep at a cluster, and no more than that: which pods it would act on. */
export async function scan({ run, clock, concurrency, ...options }: ScanOptions): Promise<Scan> {
  const { cluster, policy } = options;
  const fold = new ReportFold();
  const emit: Emit = (event) => {
    fold.hear(event);
    options.emit(event);
  };
  emit({ kind: 'SweepStarted', at: clock.now(), run, policy });
  const slots = createSlots(concurrency);
  const { candidates, asOf } = await look({ ...options, emit, slots, jobs: createJobReader(cluster, emit) });
  emit({ kind: 'SweepFinished', at: clock.now() });
  return reportScan(fold.report(), candidates, asOf);
}
