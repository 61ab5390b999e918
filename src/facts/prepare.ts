import { describeFault, faultOf } from '../model/fault.ts';
import type { Cluster } from '../model/ports.ts';
import type { Candidate } from '../model/verdict.ts';
import { draftPod, type PodDraft } from '../plan/draft.ts';
import { type Known, planInPieces, planSweep, wantedBy } from '../plan/plan.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { SweepPlan } from '../plan/sweep-plan.ts';
import type { Policy } from '../policy/policy.ts';
import type { Slots } from '../util/concurrency.ts';
import { finish, inTurns } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { gatherJobFacts, type JobReader } from './jobs.ts';
import { askForSwaps, createPermissionAsker, gatherPermissions } from './permissions.ts';

interface PrepareOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'mayI' | 'listJobPods' | 'swapImages'>;
  readonly jobs: JobReader;
  readonly slots: Slots;
  readonly emit: Emit;
  readonly stop: AbortSignal;
  /** When the candidates were judged, by the server's clock. */
  readonly asOf: Millis | undefined;
}

/**
 * Plans the steps for candidates, as far as the account has permissions. Changes nothing in the cluster. A pod
 * that cannot be planned is concluded here; the plan has all others. After a stop nothing is sent, and so the plan is empty.
 */
export async function prepare(
  candidates: readonly Candidate[],
  { policy, cluster, jobs, slots, emit, stop, asOf }: PrepareOptions,
): Promise<SweepPlan> {
  /** What comes of the work for those pods for which it does not throw. */
  async function eachAlone<T extends Pick<PodDraft, 'candidate'>, R>(
    pods: readonly T[],
    work: (pod: T) => R,
  ): Promise<readonly R[]> {
    const results: R[] = [];
    for await (const pod of inTurns(pods)) {
      if (stop.aborted) break;
      try {
        results.push(work(pod));
      } catch (error) {
        concludeUnplanned(pod.candidate, error, emit);
      }
    }
    return results;
  }
  const drafted = await eachAlone(
    candidates.map((candidate) => ({ candidate })),
    ({ candidate }) => {
      const draft = draftPod(candidate, policy);
      return { draft, wanted: wantedBy([draft]) };
    },
  );
  const asker = createPermissionAsker(cluster, slots, stop);
  const drafts = drafted.map(({ draft }) => draft);
  const sound = drafts.map(({ candidate }) => candidate);
  const wanted = drafted.flatMap((one) => one.wanted);
  const [permissions, jobFacts] = await Promise.all([
    gatherPermissions(wanted, asker),
    gatherJobFacts(sound, { jobs, cluster, slots, stop }),
  ]);
  const known: Known = {
    permissions,
    jobs: jobFacts,
    swaps: await askForSwaps(drafts, permissions, { cluster, slots, stop }),
    mode: policy.uncleanExit,
    asOf,
  };
  const plan = async (all: readonly PodDraft[]) =>
    (await finish(planInPieces(all, known), stop)) ?? { asOf, pods: [], warnings: [] };
  try {
    return await plan(drafts);
  } catch {
    const plannable = await eachAlone(drafts, (draft) => ({ draft, plan: planSweep([draft], known) }));
    return plan(plannable.map(({ draft }) => draft));
  }
}

function concludeUnplanned({ pod, sidecars }: Candidate, error: unknown, emit: Emit): void {
  const { ref } = pod;
  const fault = faultOf(`planning ${ref.namespace}/${ref.name}`, error);
  const reason = { kind: 'Undecided', problem: describeFault(fault) } as const;
  const outcome = { kind: 'Skipped', reason } as const;
  const targets = sidecars.map(({ container }) => ({
    container: container.name,
    attempts: [],
    outcome,
    endedAt: undefined,
  }));
  emit({ kind: 'FaultFound', fault });
  emit({ kind: 'PodConcluded', conclusion: { pod: ref, targets, outcome } });
}
