import { applyPlan, type Work } from './apply/apply.ts';
import { findCandidates } from './facts/candidates.ts';
import { catchFaults } from './facts/catch-faults.ts';
import { createJobReader, type JobReader } from './facts/job-reader.ts';
import { readNotes } from './facts/notes.ts';
import { prepare } from './facts/prepare.ts';
import { createFactsReader, readClusterUid } from './facts/readers.ts';
import { learnUnseenEnds } from './facts/unseen-ends.ts';
import type { Cluster, Notebook } from './model/ports.ts';
import type { Facts } from './model/reading.ts';
import type { RunInfo } from './model/scope.ts';
import { brake, CapCount } from './plan/caps.ts';
import type { Emit } from './plan/sweep-event.ts';
import type { SweepPlan } from './plan/sweep-plan.ts';
import { concludeUnread } from './plan/unsent.ts';
import type { Policy } from './policy/policy.ts';
import { createSlots, type Slots } from './util/concurrency.ts';
import { type Random, stopwatch } from './util/retry.ts';
import { aheadBy, type Clock } from './util/time.ts';

export interface SweepOptions {
  readonly run: RunInfo;
  readonly policy: Policy;
  readonly cluster: Cluster;
  readonly self: Facts['self'];
  readonly clock: Clock;
  /** Spreads requests that are made again. */
  readonly random?: Random;
  readonly emit: Emit;
  readonly concurrency: number;
  /** Abort it with a StopReason to end early; the report is still complete. */
  readonly stop: AbortSignal;
  /** Where sweeps leave notes for the next one; without it, only what the cluster still shows is known. */
  readonly notebook?: Notebook | undefined;
  /** Asked once with what is going to be done, before anything is sent. Without it, the sweep goes on at once. */
  readonly confirm?: (plan: Pick<SweepPlan, 'asOf' | 'pods'>) => Promise<boolean>;
}

/** Lists, judges, plans and applies. A dry run, and a plan for too many pods, end with the plan. */
export async function sweep({ random = Math.random, ...options }: SweepOptions): Promise<void> {
  const { run, policy, clock, emit, concurrency } = options;
  emit({ kind: 'SweepStarted', at: clock.now(), run, policy });
  const cluster = catchFaults(options.cluster, emit);
  const slots = createSlots(concurrency);
  const jobs = createJobReader(cluster, emit, slots);
  const tools = { ...options, cluster, slots, jobs };
  const age = stopwatch(clock);
  const { work, isBraked, facts, ...known } = await drawUp(tools);
  const readFacts = createFactsReader({ ...tools, facts, age });
  if (!run.dryRun && !isBraked && (await isAgreed(work, options)))
    await applyPlan(work, { ...tools, ...known, readFacts, random });
  emit({ kind: 'SweepFinished', at: clock.now() });
}

async function isAgreed(
  work: Work,
  { confirm, emit, stop }: Pick<SweepOptions, 'confirm' | 'emit' | 'stop'>,
): Promise<boolean> {
  if (!confirm || work.pods.length === 0 || stop.aborted || (await confirm(work))) return true;
  if (!stop.aborted) emit({ kind: 'Stopping', reason: 'Declined' });
  return false;
}

interface Tools extends Omit<SweepOptions, 'random'> {
  readonly slots: Slots;
  readonly jobs: JobReader;
}

/** The first half: lists, judges and plans. */
async function drawUp(tools: Tools) {
  const { run, policy, emit, stop, clock, notebook, cluster, slots } = tools;
  const { candidates, next: nextPortion, facts, asOf, listed, ours, later } = await findCandidates(tools);
  // If no list could be read, nothing else is requested.
  const hasAnswered = asOf !== undefined || listed > 0;
  const notes = await readNotes(hasAnswered ? notebook : undefined, clock, stop, aheadBy(asOf, clock));
  const harms = [...notes.harms, ...(await learnUnseenEnds(notes, tools))];
  for (const { namespace, pod: name, job, harm, expected } of harms) {
    const told = { namespace, name, job, harm, ...(expected && { expected }) };
    emit({ kind: 'Warned', warning: { kind: 'JobHarmed', ...told, earlier: true } });
  }
  const preparing = { ...tools, notes, facts, assumesPermissions: run.dryRun };
  const [plan, uid] = await Promise.all([
    prepare(candidates, { ...preparing, asOf }),
    hasAnswered ? readClusterUid(cluster, slots, stop) : undefined,
  ]);
  if (uid !== undefined) emit({ kind: 'ClusterIdentified', uid });
  const count = new CapCount(policy);
  const take = (made: SweepPlan, mayBrake: boolean) => {
    tools.jobs.forget();
    emit({ kind: 'PlanMade', plan: made });
    const { taken, left } = count.take(made);
    const braked = mayBrake ? brake(made, taken, ours, later, policy) : undefined;
    if (braked) emit({ kind: 'Warned', warning: braked });
    for (const warning of made.warnings) emit({ kind: 'Warned', warning });
    for (const { plan, reason } of braked ? [] : left)
      emit({ kind: 'PodConcluded', conclusion: concludeUnread(plan, reason) });
    return { pods: [...taken], isBraked: braked !== undefined };
  };
  const next = async () => {
    const portion = await nextPortion();
    if (!portion) return undefined;
    return take(await prepare(portion.candidates, { ...preparing, asOf: portion.asOf }), false).pods;
  };
  const { pods, isBraked } = take(plan, true);
  // The only thing that holds the pods from here on.
  const work: Work = { asOf: plan.asOf, pods, next };
  return { work, facts, listed, notes, isBraked };
}
