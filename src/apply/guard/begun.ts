import { mayHaveWorked } from '../../methods/attempt.ts';
import type { PodRef } from '../../model/pod.ts';
import type { PlannedStep, PodPlan } from '../../plan/sweep-plan.ts';
import { timeOf } from '../../plan/sweep-plan.ts';
import { isUnderWay, timeToShow } from '../attempts.ts';
import type { ApplyContext } from '../context.ts';
import type { Course } from '../course.ts';
import { newImage } from '../send.ts';
import type { Attempted } from '../taken.ts';
import type { Watched } from '../wait/observation.ts';

/**
 * A step that an earlier sweep sent to all of these instances, and whose time --max-grace cut. It is not sent again: some sidecars
 * count, and Vault ends at once on a second POST. What is left of its time is waited for, and then the next step follows.
 */
export async function recall(
  plan: PodPlan,
  watched: readonly Watched[],
  step: PlannedStep,
  { memory, policy }: Pick<ApplyContext, 'memory' | 'policy'>,
): Promise<Attempted | undefined> {
  if (timeOf(plan) <= policy.maxGrace) return undefined;
  const pod = plan.candidate.pod.ref;
  const found = await Promise.all(watched.map((one) => memory.begun(nameOf(pod, one, step))));
  const notes = found.filter((note) => note !== undefined);
  if (notes.length < watched.length) return undefined;
  const due = Math.max(...notes.map((note) => note.due));
  const sentAt = Math.min(...notes.map(({ at }) => at));
  const result = { kind: 'Accepted', message: 'an earlier sweep sent it' } as const;
  return {
    kind: 'Attempted',
    attempt: { step, sentAt, duration: 0, result, due },
    watched: watched.map((one) => ({ ...one, swappedFor: newImage(step, one, plan) })),
    reading: undefined,
  };
}

/** Notes what a pod was sent, if the last of it may still work. */
export function noteBegun(pod: PodRef, courses: readonly Course[], { memory }: ApplyContext): void {
  for (const course of courses) {
    if (course.kind !== 'Open' || !isUnderWay(course.attempts)) continue;
    for (const attempt of course.attempts.filter(mayHaveWorked)) {
      const { step, sentAt, due = sentAt + timeToShow(attempt) } = attempt;
      memory.begin(nameOf(pod, course.watched, step), { at: sentAt, due });
    }
  }
}

/** The same in every sweep, whatever is known meanwhile of how the step ends a sidecar. */
function nameOf({ uid }: PodRef, { containerId }: Watched, step: PlannedStep): string {
  const { grace, exitCode, source, blocked, raisesLimit, ...does } = step;
  return JSON.stringify(['begun', uid, containerId, does]);
}
