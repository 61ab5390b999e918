import type { Millis } from '../duration.ts';
import type { PlannedStep, PlannedTarget } from '../plan/sweep-plan.ts';
import type { HeldReason, Observation, PodRef } from '../vocabulary.ts';
import { mayHaveWorked } from './attempts.ts';
import { type ApplyContext, stopReason } from './context.ts';
import type { Permit } from './guard/guard.ts';
import { notAttempted, recheckAndSend } from './send.ts';
import type { Taken } from './taken.ts';
import { hasEnded, observe, type Watched } from './wait/observation.ts';

/** A sidecar that a step is for, and the instance of it that is watched. */
export interface Addressee {
  readonly target: PlannedTarget;
  readonly watched: Watched;
}

/** Takes one step: the guard's permit, the request, and the wait for its effect, which occupies no slot. */
export async function takeStep(
  pod: PodRef,
  to: readonly Addressee[],
  step: PlannedStep,
  context: ApplyContext,
): Promise<Taken> {
  if (context.stop.aborted) return notAttempted(stopReason(context.stop));
  const targets = to.map(({ target }) => target);
  const watched = to.map((one) => one.watched);
  const permit = await context.guard.permit(pod, targets, step);
  if (permit.kind === 'Held') {
    const held = heldBack(permit.reason, watched, step, context.clock.now());
    report(pod, held, context);
    return held;
  }
  const sent = await sendPatiently(pod, watched, step, context);
  report(pod, sent, context);
  const taken = await awaitEffect(pod, sent, context);
  teach(permit, taken, watched);
  return taken;
}

function heldBack(reason: HeldReason, watched: readonly Watched[], step: PlannedStep, at: Millis): Taken {
  const attempt = { step, sentAt: at, duration: 0, result: { kind: 'Held', reason } } as const;
  return { kind: 'Attempted', attempt, watched, reading: undefined };
}

const triesWhenBusy = 4;
const longestPause: Millis = 30_000;

/** Sends, and again after a pause if the server asks for one, as for an eviction against a disruption budget. */
async function sendPatiently(
  pod: PodRef,
  watched: readonly Watched[],
  step: PlannedStep,
  context: ApplyContext,
): Promise<Taken> {
  const { clock, slots, stop } = context;
  for (let tries = 1; ; tries++) {
    const sent = await slots(() => recheckAndSend(pod, watched, step, context));
    const result = sent.kind === 'Attempted' ? sent.attempt.result : undefined;
    if (result?.kind !== 'Busy' || tries === triesWhenBusy || stop.aborted) return sent;
    await clock.sleep(Math.min(result.retryAfterMs ?? 1_000 * 2 ** tries, longestPause), stop);
  }
}

/** Waits the step's grace for the containers to end. */
async function awaitEffect(pod: PodRef, sent: Taken, { poller }: ApplyContext): Promise<Taken> {
  if (sent.kind !== 'Attempted' || !mayHaveWorked(sent.attempt)) return sent;
  const { attempt, watched } = sent;
  const allHaveEnded = (reading: Parameters<typeof hasEnded>[0]) =>
    watched.every((one) => hasEnded(reading, one));
  return { ...sent, reading: await poller.until(pod, allHaveEnded, attempt.step.grace) };
}

function report(pod: PodRef, taken: Taken, { emit }: ApplyContext): void {
  if (taken.kind !== 'Attempted') return;
  for (const { container } of taken.watched) {
    emit({ kind: 'StepSent', pod, container, attempt: taken.attempt });
  }
}

/** Tells the guard what came of a pod that went first. */
function teach(permit: Permit, taken: Taken, watched: readonly Watched[]): void {
  if (permit.kind !== 'First') return;
  const attempt = taken.kind === 'Attempted' ? taken.attempt : undefined;
  permit.tell(attempt, (container) => seenOf(taken, container, watched));
}

function seenOf(taken: Taken, container: string, before: readonly Watched[]): Observation {
  if (taken.kind !== 'Attempted' || !taken.reading) return { kind: 'Running' };
  // One that had ended before the step was sent to the others is seen as it ended.
  const watched = [...taken.watched, ...before].find((one) => one.container === container);
  return watched ? observe(taken.reading, watched) : { kind: 'Running' };
}
