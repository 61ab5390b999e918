import type { Cluster } from '../model/ports.ts';
import { describeFault, faultOf } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import { draftPod } from '../plan/draft.ts';
import { type Known, planOne, toSweepPlan, wantedBy } from '../plan/plan.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { SweepPlan } from '../plan/sweep-plan.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns, type Slots } from '../util/concurrency.ts';
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
  /** The results of the work for the pods for which it does not throw. */
  async function each<T, R>(
    all: readonly T[],
    work: (one: T) => R,
    candidateOf: (one: T) => Candidate,
  ): Promise<readonly R[]> {
    const results: R[] = [];
    for await (const one of inTurns(all)) {
      if (stop.aborted) break;
      try {
        results.push(work(one));
      } catch (error) {
        concludeUnplanned(candidateOf(one), error, emit);
      }
    }
    return results;
  }

  const draft = (candidate: Candidate) => {
    const drafted = draftPod(candidate, policy);
    return { draft: drafted, wanted: wantedBy([drafted]) };
  };
  const drafted = await each(candidates, draft, (candidate) => candidate);
  const drafts = drafted.map((one) => one.draft);
  const wanted = drafted.flatMap((one) => one.wanted);
  const [permissions, jobFacts] = await Promise.all([
    gatherPermissions(wanted, createPermissionAsker(cluster, slots, stop)),
    gatherJobFacts(
      drafts.map(({ candidate }) => candidate),
      { jobs, cluster, slots, stop },
    ),
  ]);
  const swaps = await askForSwaps(drafts, permissions, { cluster, slots, stop });
  const known: Known = { permissions, jobs: jobFacts, swaps, mode: policy.uncleanExit, asOf };
  const planned = await each(
    drafts,
    (one) => planOne(one, known),
    ({ candidate }) => candidate,
  );
  return toSweepPlan(stop.aborted ? [] : planned, asOf);
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
