import type { Cluster } from '../model/ports.ts';
import { describeFault, type Facts, faultOf } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import { draftPod } from '../plan/draft.ts';
import { type Known, planOne, toSweepPlan, wantedBy } from '../plan/plan.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { SweepPlan } from '../plan/sweep-plan.ts';
import { concludeUnplanned } from '../plan/unsent.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns, type Slots } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { gatherJobFacts, type JobReader } from './jobs.ts';
import type { Notes } from './notes.ts';
import { askForSwaps, createPermissionAsker, gatherPermissions } from './permissions.ts';

interface PrepareOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'mayI' | 'listJobPods' | 'listFailedPods' | 'swapImages'>;
  readonly jobs: JobReader;
  readonly slots: Slots;
  readonly emit: Emit;
  readonly stop: AbortSignal;
  /** What earlier sweeps noted. */
  readonly notes: Pick<Notes, 'isBroken'>;
  /** What was read besides the pods when they were judged. */
  readonly facts: Pick<Facts, 'platforms'>;
  /** When the candidates were judged, by the server's clock. */
  readonly asOf: Millis | undefined;
  /** Plans also the steps that the account may not take, as an account that may would send them; a warning says so. */
  readonly assumesPermissions?: boolean;
}

/**
 * Plans the steps for candidates, as far as the account has permissions. Changes nothing in the cluster. A pod
 * that cannot be planned is concluded here; the plan has all others. After a stop nothing is sent, and so the plan is empty.
 */
export async function prepare(
  candidates: readonly Candidate[],
  {
    policy,
    cluster,
    jobs,
    slots,
    emit,
    stop,
    notes,
    facts,
    asOf,
    assumesPermissions = false,
  }: PrepareOptions,
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
        concludeFaulty(candidateOf(one), error, emit);
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
  const known: Known = {
    permissions,
    assumesPermissions,
    jobs: jobFacts,
    swaps,
    mode: policy.uncleanExit,
    isBroken: notes.isBroken,
    platforms: facts.platforms,
    asOf,
  };
  const planned = await each(
    drafts,
    (one) => planOne(one, known),
    ({ candidate }) => candidate,
  );
  return toSweepPlan(stop.aborted ? [] : planned, asOf);
}

function concludeFaulty(candidate: Candidate, error: unknown, emit: Emit): void {
  const { ref } = candidate.pod;
  const fault = faultOf(`planning ${ref.namespace}/${ref.name}`, error);
  emit({ kind: 'FaultFound', fault });
  emit({ kind: 'PodConcluded', conclusion: concludeUnplanned(candidate, describeFault(fault)) });
}
