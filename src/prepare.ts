import type { Millis } from './duration.ts';
import { createPermissionAsker, gatherPermissions } from './gather/permissions.ts';
import { draftPod } from './plan/draft.ts';
import { planSweep, wantedBy } from './plan/plan.ts';
import type { SweepPlan } from './plan/sweep-plan.ts';
import type { Policy } from './policy/policy.ts';
import type { Cluster, Slots } from './ports.ts';
import type { Candidate } from './vocabulary.ts';

interface PrepareOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'mayI'>;
  readonly slots: Slots;
  readonly stop: AbortSignal;
  /** When the candidates were judged, by the server's clock. */
  readonly asOf: Millis | undefined;
}

/** Plans the steps for candidates, as far as the account has permissions. Changes nothing in the cluster. */
export async function prepare(
  candidates: readonly Candidate[],
  { policy, cluster, slots, stop, asOf }: PrepareOptions,
): Promise<SweepPlan> {
  const drafts = candidates.map((candidate) => draftPod(candidate, policy));
  const permissions = await gatherPermissions(wantedBy(drafts), createPermissionAsker(cluster, slots, stop));
  return planSweep(drafts, permissions, policy.uncleanExit, asOf);
}
