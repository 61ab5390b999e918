import { describeFault, type Facts, faultOf, platformOf } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import { draftPod, type PodDraft } from '../plan/draft.ts';
import { wantedBy } from '../plan/permissions.ts';
import { type Known, planOne, toSweepPlan } from '../plan/plan.ts';
import type { SweepPlan } from '../plan/sweep-plan.ts';
import { concludeUnplanned } from '../plan/unsent.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { gatherJobFacts } from './job-facts.ts';
import type { JobReader } from './job-reader.ts';
import type { Notes } from './notes.ts';
import { askForSwaps, createPermissionAsker, gatherPermissions } from './permissions.ts';
import type { ReadOptions } from './readers.ts';

interface PrepareOptions extends ReadOptions<'mayI' | 'listJobPods' | 'listFailedPods' | 'swapImages'> {
  readonly policy: Policy;
  readonly jobs: Pick<JobReader, 'readAll'>;
  readonly notes: Pick<Notes, 'isBroken'>;
  readonly facts: Pick<Facts, 'nodes'>;
  readonly asOf: Millis | undefined;
  /** Also plans the steps for which the account lacks permission, as if it had it; a warning says so. */
  readonly assumesPermissions?: boolean;
}

/** Plans the steps that the account may take; a pod whose planning throws is concluded. After a stop, it plans nothing. */
export async function prepare(candidates: readonly Candidate[], options: PrepareOptions): Promise<SweepPlan> {
  const { policy, cluster, slots, emit, stop, asOf } = options;

  /** Does the work for each pod. If it throws, the pod is concluded, and has no result. */
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
        const candidate = candidateOf(one);
        const { ref } = candidate.pod;
        const fault = faultOf(`planning ${ref.namespace}/${ref.name}`, error);
        emit({ kind: 'FaultFound', fault });
        const reason = { kind: 'Undecided', problem: describeFault(fault) } as const;
        emit({ kind: 'PodConcluded', conclusion: concludeUnplanned(candidate, { kind: 'Skipped', reason }) });
      }
    }
    return results;
  }

  const draft = (candidate: Candidate) =>
    draftPod(candidate, policy, platformOf(options.facts, candidate.pod));
  const drafts = await each(candidates, draft, (candidate) => candidate);
  const drafted = drafts.map(({ candidate }) => candidate);
  const [permissions, jobFacts] = await Promise.all([
    gatherPermissions(drafts.flatMap(wantedBy), createPermissionAsker(cluster, slots, stop)),
    gatherJobFacts(drafted, { ...options, noopImages: policy.noopImages }),
  ]);
  const swaps = await askForSwaps(drafts, permissions, cluster, slots, stop);
  const known: Known = {
    permissions,
    assumesPermissions: options.assumesPermissions ?? false,
    jobs: jobFacts,
    swaps,
    mode: policy.uncleanExit,
    isBroken: options.notes.isBroken,
    asOf,
  };
  const plan = (one: PodDraft) => planOne(one, known);
  const planned = await each(drafts, plan, ({ candidate }) => candidate);
  return toSweepPlan(stop.aborted ? [] : planned, asOf);
}
