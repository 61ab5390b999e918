import type { HarmKind, JobReaction } from '../model/job.ts';
import { jobOf, type Owner, type PodRef } from '../model/pod.ts';
import { describeFault, faultOf, type PodReading } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import type { UncleanEnd } from '../plan/cost.ts';
import type { Attempt, Emit, PodConclusion, TargetConclusion } from '../plan/sweep-event.ts';
import type { PodPlan, SweepPlan } from '../plan/sweep-plan.ts';
import type { Millis } from '../util/time.ts';
import { concludeFault, concludePod, concludeTarget } from './conclude.ts';
import { type ApplyContext, type ApplyOptions, openContext } from './context.ts';
import { type Course, unprovenUntil } from './course.ts';
import { drivePod } from './drive.ts';
import { noteBegun } from './guard/begun.ts';
import { type Fate, fateOf, harmOf } from './harm.ts';
import { BlockedPods } from './held-pods.ts';
import type { NodeLoad } from './nodes.ts';
import { limitWaits } from './wait/limit.ts';
import { observe } from './wait/observation.ts';
import { readRemoved, readSettled } from './wait/settle.ts';
import { type Witness, witness } from './wait/witness.ts';

/** What a sweep does; the pods are taken out as they begin, so that nothing is left of those that are concluded. */
export interface Work extends Pick<SweepPlan, 'asOf'> {
  readonly pods: PodPlan[];
}

/**
 * Carries out a plan: many pods at once, bounded by the slots, which nobody occupies while waiting. Returns what the nodes had to
 * bear.
 */
export async function applyPlan({ asOf, pods }: Work, options: ApplyOptions): Promise<NodeLoad> {
  const { context, end } = openContext(options);
  const held = new BlockedPods();
  const applying: Promise<void>[] = [];
  pods.reverse();
  for (let pod = pods.pop(); pod; pod = pods.pop()) {
    await context.nodes.room();
    const applied = applyAlone(pod, asOf, context, held);
    // It is looked at below, once all have begun.
    applied.catch(() => undefined);
    applying.push(applied);
  }
  await Promise.all(applying);
  for (const warning of held.warnings()) context.emit({ kind: 'Warned', warning });
  context.promises.settle();
  await context.memory.settled();
  end();
  return context.nodes.most();
}

/** An error is the pod's own: it becomes its outcome, and all others go on. */
async function applyAlone(
  plan: PodPlan,
  asOf: SweepPlan['asOf'],
  context: ApplyContext,
  held: BlockedPods,
): Promise<void> {
  const attempts = new Map<string, readonly Attempt[]>();
  const emit: Emit = (event) => {
    if (event.kind === 'StepSent') {
      attempts.set(event.container, [...(attempts.get(event.container) ?? []), event.attempt]);
    }
    context.emit(event);
  };
  try {
    held.hear(plan, await applyToPod(plan, asOf, { ...context, emit }));
  } catch (error) {
    const { ref } = plan.candidate.pod;
    const fault = faultOf(`sweeping ${ref.namespace}/${ref.name}`, error);
    const conclusion = concludeFault(plan, attempts, describeFault(fault));
    context.rooms.leave(plan.candidate.pod, 'Open');
    context.emit({ kind: 'FaultFound', fault });
    context.emit({ kind: 'PodConcluded', conclusion });
    held.hear(plan, conclusion);
  }
}

async function applyToPod(
  podPlan: PodPlan,
  asOf: SweepPlan['asOf'],
  open: ApplyContext,
): Promise<PodConclusion> {
  const { candidate } = podPlan;
  const { pod } = candidate;
  const cluster = open.nodes.watch(pod, open.cluster);
  const onlooker = witness(candidate, limitWaits({ ...open, cluster }, open.policy.maxGrace));
  const { context } = onlooker;
  const courses = await drivePod(podPlan, context);
  noteBegun(pod.ref, courses, context);
  const watched = courses.flatMap(({ watched: one }) => one ?? []);
  const settled: PodReading =
    watched.length > 0
      ? await readSettled(pod, watched, onlooker.last(), context)
      : { kind: 'Present', pod, asOf };
  const readAt = context.clock.now();
  context.rooms.leave(pod, endOf(settled));
  const attempts = courses.flatMap((course) => course.attempts);
  const { reading, fate, job } = await followJob(candidate, settled, attempts, onlooker);
  const targets = courses.map((course) => concludeCourse(course, reading, readAt));
  const outcomes = targets.map(({ outcome }) => outcome);
  const outcome = concludePod(reading, outcomes, job);
  const ends = targets.flatMap(uncleanEnd);
  const harm = harmOf({ candidate, attempts, seen: onlooker.seen(), fate, job, ends });
  const owner = jobOf(pod);
  const permitted = context.policy.uncleanExit === 'allow';
  const conclusion: PodConclusion = {
    pod: pod.ref,
    targets,
    outcome,
    ...(harm && { harm: { kind: harm, permitted, job: owner } }),
  };
  context.emit({ kind: 'PodConcluded', conclusion });
  if (harm) context.emit({ kind: 'Warned', warning: warningOf(pod.ref, owner, harm) });
  return conclusion;
}

function warningOf({ namespace, name }: PodRef, job: Owner | undefined, harm: HarmKind): Warning {
  return harm === 'PodFailed' || !job
    ? { kind: 'PodHarmed', namespace, name }
    : { kind: 'JobHarmed', namespace, name, job: job.name, harm };
}

/** How a sidecar ended by this sweep, as far as it is known; nothing if it was with 0. */
function uncleanEnd({ container, outcome }: TargetConclusion): readonly UncleanEnd[] {
  if (outcome.kind === 'AlreadyEnded') return [];
  const exitCode = outcome.kind === 'Stopped' ? outcome.exitCode : undefined;
  return exitCode === 0 ? [] : [{ container, exitCode }];
}

interface Aftermath {
  readonly reading: PodReading;
  readonly fate: Fate;
  readonly job: JobReaction;
}

/** What the Job did about the pod; one that fails deletes its pods that still run. */
async function followJob(
  { pod }: Candidate,
  settled: PodReading,
  attempts: readonly Attempt[],
  { context, seen }: Witness,
): Promise<Aftermath> {
  const fate = fateOf(pod, settled, seen(), attempts);
  if (settled.kind === 'Gone') {
    return { reading: settled, fate, job: await context.jobWatch.reactionTo(pod, fate) };
  }
  if (settled.kind !== 'Present') return { reading: settled, fate, job: { kind: 'NoJob' } };
  if (fate !== 'Unknown') {
    return { reading: settled, fate, job: await context.jobWatch.reactionTo(settled.pod, fate) };
  }
  if (!(pod.restartPolicy === 'OnFailure' && settled.pod.restarts > pod.restarts)) {
    return { reading: settled, fate, job: { kind: 'NoJob' } };
  }
  const job = await context.jobWatch.reactionTo(settled.pod, 'Restarted');
  const reading = job.kind === 'Failed' ? await readRemoved(settled, context) : settled;
  return { reading, fate, job };
}

function endOf(reading: PodReading): 'Succeeded' | 'Failed' | 'Open' {
  if (reading.kind !== 'Present') return reading.kind === 'Gone' ? 'Failed' : 'Open';
  const { phase } = reading.pod;
  return phase === 'Succeeded' || phase === 'Failed' ? phase : 'Open';
}

/** A sidecar that was left alone. */
const leftAlone = { isMesh: false, steps: [], uncertain: [] };

function concludeCourse(course: Course, reading: PodReading, readAt: Millis): TargetConclusion {
  const { attempts } = course;
  switch (course.kind) {
    case 'Closed': {
      const { container, watched, outcome } = course;
      const seen = watched && observe(reading, watched);
      if (!seen || seen.kind === 'Running') return { container, attempts, outcome, endedAt: undefined };
      return { container, attempts, outcome: concludeTarget(leftAlone, [], seen, true), endedAt: undefined };
    }
    case 'Open': {
      const observation = observe(reading, course.watched);
      return {
        container: course.target.container,
        attempts,
        outcome: concludeTarget(course.target, attempts, observation, readAt >= unprovenUntil(course)),
        endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
      };
    }
  }
}
