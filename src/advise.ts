import type { Emit } from './events.ts';
import { faultless } from './faultless.ts';
import { createJobReader } from './gather/jobs.ts';
import { gatherOrigins } from './gather/origins.ts';
import { lookForCandidates } from './look.ts';
import type { Cluster, Origins } from './ports.ts';
import { type Advice, adviseOwner, reportAdvice } from './report/advise.ts';
import { LookFold } from './report/look-fold.ts';
import type { ScanOptions } from './scan.ts';
import { createSlots } from './slots.ts';

export interface AdviseOptions extends Omit<ScanOptions, 'cluster'> {
  readonly cluster: Cluster & Origins;
}

/** Lists and judges pods as a scan does, and says of each owner whose pods are stuck how to cure that for good. */
export async function advise({ where, concurrency, warnings, ...options }: AdviseOptions): Promise<Advice> {
  const { policy, stop } = options;
  const found = new LookFold({ verbose: false });
  const emit: Emit = (event) => {
    found.hear(event);
    options.emit(event);
  };
  for (const warning of warnings) emit({ kind: 'Warned', warning });
  const slots = createSlots(concurrency);
  const cluster = faultless(options.cluster, emit);
  const jobs = createJobReader(cluster, emit);
  const { candidates, asOf } = await lookForCandidates({ ...options, cluster, emit, slots, jobs });
  if (candidates.length === 0) return reportAdvice(found, where, asOf);
  const origins = options.cluster;
  const [stuck, server, kubelets] = await Promise.all([
    gatherOrigins(candidates, { cluster: origins, slots, stop }),
    origins.readVersion(stop),
    origins.listKubelets(stop),
  ]);
  const versions = { server, kubelets };
  const owners = stuck.map((one) => adviseOwner(one, versions, policy.catalogue));
  return reportAdvice(found, where, asOf, versions, owners);
}
