import type {
  Attempt,
  Candidate,
  ContainerOutcome,
  ContainerStep,
  Observation,
  PlannedTarget,
  PodPlan,
  PodReading,
  Target,
} from '../vocabulary.ts';
import { advance, mayHaveWorked } from './advance.ts';
import type { ApplyContext } from './context.ts';
import type { Permit } from './guard.ts';
import { observe, type Watched } from './observation.ts';
import { recheckAndSend } from './send.ts';

/** What was done about a target, before a last read says what it led to. */
export type Driven =
  | {
      readonly kind: 'Open';
      readonly target: PlannedTarget;
      /** What the last read is to look for. */
      readonly watched: Watched;
      readonly attempts: readonly Attempt[];
      /** What was seen last. */
      readonly observation: Observation;
    }
  /** No read is needed to know: it was skipped, or the pod had changed before anything could be sent. */
  | {
      readonly kind: 'Decided';
      readonly container: string;
      readonly attempts: readonly Attempt[];
      readonly outcome: ContainerOutcome;
    };

/** Takes a target's steps one after the other until it has ended or there are no more. */
export async function driveTarget(plan: PodPlan, target: Target, context: ApplyContext): Promise<Driven> {
  const { container } = target;
  if (target.kind === 'Skipped') {
    return { kind: 'Decided', container, attempts: [], outcome: target.outcome };
  }
  const attempts: Attempt[] = [];
  let observation: Observation = { kind: 'Running' };
  for (;;) {
    const next = advance(target.steps, attempts, observation);
    if (next.kind === 'Done') return { kind: 'Open', target, watched: target, attempts, observation };
    const taken = await takeStep(plan, target, next.step, context);
    switch (taken.kind) {
      case 'Attempted':
        attempts.push(taken.attempt);
        observation = taken.observation;
        break;
      case 'Overtaken':
        observation = taken.observation;
        break;
      case 'Decided':
        // What was begun is proved by a read; what was not has its outcome here.
        return attempts.length > 0 && taken.outcome.kind === 'NotAttempted'
          ? { kind: 'Open', target, watched: target, attempts, observation }
          : { kind: 'Decided', container, attempts, outcome: taken.outcome };
    }
  }
}

type Taken =
  | { readonly kind: 'Attempted'; readonly attempt: Attempt; readonly observation: Observation }
  | { readonly kind: 'Overtaken'; readonly observation: Observation }
  | { readonly kind: 'Decided'; readonly outcome: ContainerOutcome };

/** One step: permission of the guard, the act, and the wait for its effect, during which nothing is held. */
async function takeStep(
  plan: PodPlan,
  target: PlannedTarget,
  step: ContainerStep,
  context: ApplyContext,
): Promise<Taken> {
  const { candidate, isProtected } = plan;
  const permit = await context.guard.permit(candidate, isProtected, target, step);
  if (permit.kind === 'Held') {
    const { clock } = context;
    const attempt: Attempt = {
      step,
      sentAt: clock.now(),
      duration: 0,
      result: { kind: 'Held', reason: permit.reason },
    };
    report(candidate, target, attempt, context);
    return { kind: 'Attempted', attempt, observation: { kind: 'Running' } };
  }
  const taken = await act(candidate, target, step, context);
  tell(permit, taken);
  return taken;
}

async function act(
  candidate: Candidate,
  target: PlannedTarget,
  step: ContainerStep,
  context: ApplyContext,
): Promise<Taken> {
  const { ref } = candidate.pod;
  const sent = await context.slots(() => recheckAndSend(ref, target, step, context));
  switch (sent.kind) {
    case 'Stopped':
      return { kind: 'Decided', outcome: { kind: 'NotAttempted', reason: sent.reason } };
    case 'Stale':
      return { kind: 'Decided', outcome: { kind: 'Skipped', reason: sent.reason } };
    case 'Overtaken':
      return sent;
    case 'Attempted': {
      const { attempt } = sent;
      report(candidate, target, attempt, context);
      return { ...sent, observation: await awaitExit(candidate, target, attempt, context) };
    }
  }
}

function tell(permit: Permit, taken: Taken): void {
  if (permit.kind !== 'Canary') return;
  switch (taken.kind) {
    case 'Attempted':
      permit.tell(taken.attempt, taken.observation);
      break;
    case 'Overtaken':
    case 'Decided':
      permit.tell(undefined, { kind: 'Running' });
      break;
  }
}

function report(
  { pod }: Candidate,
  { container }: PlannedTarget,
  attempt: Attempt,
  { emit }: ApplyContext,
): void {
  emit({ kind: 'StepSent', pod: pod.ref, container, attempt });
}

/** Waits the step's grace for the container to end. */
async function awaitExit(
  { pod }: Candidate,
  target: PlannedTarget,
  attempt: Attempt,
  { observer }: ApplyContext,
): Promise<Observation> {
  if (!mayHaveWorked(attempt)) return { kind: 'Running' };
  const reading = await observer.until(pod.ref, (later) => hasEnded(later, target), attempt.step.grace);
  return reading ? observe(reading, target) : { kind: 'Running' };
}

/** Whether a reading shows that the watched instance does not run any more. */
export function hasEnded(reading: PodReading, watched: Watched): boolean {
  switch (observe(reading, watched).kind) {
    case 'Running':
    case 'NotStarted':
    case 'Unreadable':
      return false;
    case 'Exited':
    case 'Restarted':
    case 'Gone':
    case 'Replaced':
      return true;
  }
}
