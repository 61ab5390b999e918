import { adviseOwner } from './advise/owner.ts';
import { gatherReportedOrigins } from './gather/reported-origins.ts';
import type { Origins } from './origins.ts';
import type { Policy } from './policy/policy.ts';
import { type Advice, AdviceFold } from './report/advise/advice.ts';
import { stuckPodsIn } from './report/advise/reported.ts';
import type { SweepReport } from './report/schema.ts';
import { createSlots } from './slots.ts';

export interface AdviseFromOptions {
  /** Of one cluster. */
  readonly reports: readonly [SweepReport, ...SweepReport[]];
  /** That cluster, or `unasked`. */
  readonly cluster: Origins;
  readonly policy: Pick<Policy, 'catalogue'>;
  readonly concurrency: number;
  readonly stop: AbortSignal;
}

/** Says of each owner whose pods sweeps found stuck how to cure that for good. The pods themselves are not read. */
export async function adviseFrom(options: AdviseFromOptions): Promise<Advice> {
  const { reports, cluster, policy, concurrency, stop } = options;
  const slots = createSlots(concurrency);
  const [stuck, server, kubelets] = await Promise.all([
    gatherReportedOrigins(stuckPodsIn(reports), { cluster, slots, stop }),
    cluster.readVersion(stop),
    cluster.listKubelets(stop),
  ]);
  const versions = { server, kubelets };
  const owners = stuck.map((one) => adviseOwner(one, versions, policy.catalogue));
  return new AdviceFold().reportFrom(reports, versions, owners);
}

const unreadable = {
  kind: 'Unreadable',
  problem: { kind: 'Unreachable', message: 'no cluster was asked' },
} as const;

/** What stands for a cluster that is not asked. */
export const unasked: Origins = {
  readTemplate: async () => unreadable,
  readVersion: async () => undefined,
  listKubelets: async () => unreadable,
};
