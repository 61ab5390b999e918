import type { Millis } from './duration.ts';
import type { Emit } from './events.ts';
import { faultOf } from './fault.ts';
import { createPermissionAsker, gatherPermissions } from './gather/permissions.ts';
import { draftPod, type PodDraft } from './plan/draft.ts';
import { planSweep, wantedBy } from './plan/plan.ts';
import type { SweepPlan } from './plan/sweep-plan.ts';
import type { Policy } from './policy/policy.ts';
import type { Cluster, Slots } from './ports.ts';
import type { Candidate } from './vocabulary.ts';

interface PrepareOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'mayI'>;
  readonly slots: Slots;
  readonly emit: Emit;
  readonly stop: AbortSignal;
  /** When the candidates were judged, by the server's clock. */
  readonly asOf: Millis | undefined;
}

/**
 * Plans the steps for candidates, as far as the account has permissions. Changes nothing in the cluster. A pod
 * that cannot be planned is concluded here; the plan has all others.
 */
export async function prepare(
  candidates: readonly Candidate[],
  { policy, cluster, slots, emit, stop, asOf }: PrepareOptions,
): Promise<SweepPlan> {
  /** What comes of the work for those pods for which it does not throw. */
  function eachAlone<T extends Pick<PodDraft, 'candidate'>, R>(
    pods: readonly T[],
    work: (pod: T) => R,
  ): readonly R[] {
    return pods.flatMap((pod) => {
      try {
        return [work(pod)];
      } catch (error) {
        concludeUnplanned(pod.candidate, error, emit);
        return [];
      }
    });
  }
  const drafted = eachAlone(
    candidates.map((candidate) => ({ candidate })),
    ({ candidate }) => {
      const draft = draftPod(candidate, policy);
      return { draft, wanted: wantedBy([draft]) };
    },
  );
  const asker = createPermissionAsker(cluster, slots, stop);
  const permissions = await gatherPermissions(
    drafted.flatMap(({ wanted }) => wanted),
    asker,
  );
  const plan = (drafts: readonly PodDraft[]) => planSweep(drafts, permissions, policy.uncleanExit, asOf);
  const drafts = drafted.map(({ draft }) => draft);
  try {
    return plan(drafts);
  } catch {
    const sound = eachAlone(drafts, (draft) => ({ draft, plan: plan([draft]) }));
    return plan(sound.map(({ draft }) => draft));
  }
}

function concludeUnplanned({ pod, sidecars }: Candidate, error: unknown, emit: Emit): void {
  const { ref } = pod;
  const outcome = { kind: 'NotAttempted', reason: 'InternalError' } as const;
  const targets = sidecars.map(({ container }) => ({
    container: container.name,
    attempts: [],
    outcome,
    endedAt: undefined,
  }));
  emit({ kind: 'FaultFound', fault: faultOf(`planning ${ref.namespace}/${ref.name}`, error) });
  emit({ kind: 'PodConcluded', conclusion: { pod: ref, targets, outcome } });
}
