import type { PodConclusion, TargetConclusion } from '../events.ts';
import type { PodPlan, SweepPlan } from '../plan/sweep-plan.ts';
import type { PodReading } from '../vocabulary.ts';
import { concludePod, concludeTarget, finishedWorkRunsAgain } from './conclude.ts';
import { type ApplyContext, type ApplyOptions, openContext } from './context.ts';
import type { Course } from './course.ts';
import { drivePod } from './drive.ts';
import { type AppliedPod, warnOfHeld } from './held.ts';
import { observe } from './wait/observation.ts';
import { readSettled } from './wait/settle.ts';

/** Carries out a plan: all pods at once, bounded by the slots, which nobody occupies while waiting. */
export async function applyPlan(plan: SweepPlan, options: ApplyOptions): Promise<void> {
  const { context, end } = openContext(plan, options);
  const applied = await Promise.all(plan.pods.map((pod) => applyToPod(pod, plan, context)));
  for (const warning of warnOfHeld(applied)) context.emit({ kind: 'Warned', warning });
  end();
}

async function applyToPod(podPlan: PodPlan, { asOf }: SweepPlan, context: ApplyContext): Promise<AppliedPod> {
  const { candidate } = podPlan;
  const { pod } = candidate;
  const courses = await drivePod(podPlan, context);
  const watched = courses.flatMap((course) => (course.kind === 'Open' ? course.watched : []));
  const reading: PodReading =
    watched.length > 0 ? await readSettled(pod, watched, context) : { kind: 'Present', pod, asOf };
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
        outcome: concludeTarget(attempts, observation),
        endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
      };
    }
  }
}
