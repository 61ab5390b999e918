import type { Attempt, Emit, PodConclusion, TargetConclusion } from '../events.ts';
import { describeFault, faultOf } from '../fault.ts';
import type { PodPlan, SweepPlan } from '../plan/sweep-plan.ts';
import type { PodReading } from '../vocabulary.ts';
import { concludeFault, concludePod, concludeTarget, finishedWorkRunsAgain } from './conclude.ts';
import { type ApplyContext, type ApplyOptions, openContext } from './context.ts';
import type { Course } from './course.ts';
import { drivePod } from './drive.ts';
import { type AppliedPod, warnOfHeld } from './held.ts';
import { observe } from './wait/observation.ts';
import { readSettled } from './wait/settle.ts';

/** Carries out a plan: all pods at once, bounded by the slots, which nobody occupies while waiting. */
export async function applyPlan(plan: SweepPlan, options: ApplyOptions): Promise<void> {
  const { context, end } = openContext(plan, options);
  const applied = await Promise.all(plan.pods.map((pod) => applyAlone(pod, plan, context)));
  for (const warning of warnOfHeld(applied)) context.emit({ kind: 'Warned', warning });
  await context.memory.settled();
  end();
}

/** An error is the pod's own: it becomes its outcome, and all others go on. */
async function applyAlone(plan: PodPlan, sweepPlan: SweepPlan, context: ApplyContext): Promise<AppliedPod> {
  const attempts = new Map<string, readonly Attempt[]>();
  const emit: Emit = (event) => {
    if (event.kind === 'StepSent') {
      attempts.set(event.container, [...(attempts.get(event.container) ?? []), event.attempt]);
    }
    context.emit(event);
  };
  try {
    return await applyToPod(plan, sweepPlan, { ...context, emit });
  } catch (error) {
    const { ref } = plan.candidate.pod;
    const fault = faultOf(`sweeping ${ref.namespace}/${ref.name}`, error);
    const conclusion = concludeFault(plan, attempts, describeFault(fault));
    // Nobody may wait for a pod that does not go on.
    context.guard.forget(ref);
    context.rooms.leave(plan.candidate.pod, 'Open');
    context.emit({ kind: 'FaultFound', fault });
    context.emit({ kind: 'PodConcluded', conclusion });
    return { plan, conclusion };
  }
}

async function applyToPod(podPlan: PodPlan, { asOf }: SweepPlan, context: ApplyContext): Promise<AppliedPod> {
  const { candidate } = podPlan;
  const { pod } = candidate;
  const courses = await drivePod(podPlan, context);
  const watched = courses.flatMap((course) => (course.kind === 'Open' ? course.watched : []));
  const reading: PodReading =
    watched.length > 0 ? await readSettled(pod, watched, context) : { kind: 'Present', pod, asOf };
  context.guard.forget(pod.ref);
  context.rooms.leave(pod, endOf(reading));
  const targets = courses.map((course) => concludeCourse(course, reading));
  const outcomes = targets.map(({ outcome }) => outcome);
  const outcome = concludePod(reading, outcomes, await context.jobWatch.reactionTo(reading));
  const conclusion: PodConclusion = { pod: pod.ref, targets, outcome };
  context.emit({ kind: 'PodConcluded', conclusion });
  if (finishedWorkRunsAgain(candidate, outcome)) {
    const { namespace, name } = pod.ref;
    context.emit({ kind: 'Warned', warning: { kind: 'FinishedWorkRunsAgain', namespace, name } });
  }
  return { plan: podPlan, conclusion };
}

function endOf(reading: PodReading): 'Succeeded' | 'Failed' | 'Open' {
  if (reading.kind !== 'Present') return reading.kind === 'Gone' ? 'Failed' : 'Open';
  const { phase } = reading.pod;
  return phase === 'Succeeded' || phase === 'Failed' ? phase : 'Open';
}

function concludeCourse(course: Course, reading: PodReading): TargetConclusion {
  const { attempts } = course;
  switch (course.kind) {
    case 'Closed':
      return { container: course.container, attempts, outcome: course.outcome, endedAt: undefined };
    case 'Open': {
      const observation = observe(reading, course.watched);
      return {
        container: course.target.container,
        attempts,
        outcome: concludeTarget(course.target, attempts, observation),
        endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
      };
    }
  }
}
