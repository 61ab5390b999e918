import type {
  Attempt,
  ContainerOutcome,
  Observation,
  PlannedTarget,
  PodConclusion,
  PodPlan,
  PodReading,
  PodRef,
  SweepPlan,
  Target,
  TargetConclusion,
} from '../types.ts';
import { advance, mayHaveWorked } from './advance.ts';
import { concludePod, concludeTarget, finishedWorkRunsAgain } from './conclude.ts';
import type { ApplyContext } from './context.ts';
import { observe } from './observation.ts';
import { recheckAndSend } from './send.ts';
import { readSettled } from './settle.ts';

/** What was done about a target, before a last read says what it led to. */
type Driven =
  | { readonly kind: 'Open'; readonly target: PlannedTarget; readonly attempts: readonly Attempt[] }
  /** No read is needed to know: it was skipped, or the pod had changed before anything could be sent. */
  | {
      readonly kind: 'Decided';
      readonly container: string;
      readonly attempts: readonly Attempt[];
      readonly outcome: ContainerOutcome;
    };

/** Carries out a plan: all pods at once, bounded by the slots, which nobody holds while waiting. */
export async function applyPlan(plan: SweepPlan, context: ApplyContext): Promise<void> {
  await Promise.all(plan.pods.map((pod) => applyToPod(pod, plan, context)));
}

async function applyToPod(podPlan: PodPlan, plan: SweepPlan, context: ApplyContext): Promise<void> {
  const { candidate, targets } = podPlan;
  const { pod } = candidate;
  const driven = await Promise.all(targets.map((target) => driveTarget(pod.ref, target, context)));
  const reading: PodReading = driven.some(({ kind }) => kind === 'Open')
    ? await readSettled(pod, targets, context)
    : { kind: 'Present', pod, asOf: plan.asOf };
  const concluded = driven.map((one) => concludeDriven(one, reading));
  const outcomes = concluded.map(({ outcome }) => outcome);
  const outcome = concludePod(reading, outcomes, await context.jobs.reactionTo(reading));
  const conclusion: PodConclusion = { pod: pod.ref, targets: concluded, outcome };
  context.emit({ kind: 'PodConcluded', conclusion });
  if (finishedWorkRunsAgain(candidate, outcome)) {
    const { namespace, name } = pod.ref;
    context.emit({ kind: 'Warned', warning: { kind: 'FinishedWorkRunsAgain', namespace, name } });
  }
}

/** Takes a target's steps one after the other until it has ended or there are no more. */
async function driveTarget(pod: PodRef, target: Target, context: ApplyContext): Promise<Driven> {
  const attempts: Attempt[] = [];
  const { container } = target;
  if (target.kind === 'Skipped') return { kind: 'Decided', container, attempts, outcome: target.outcome };
  let observation: Observation = { kind: 'Running' };
  for (;;) {
    const next = advance(target, attempts, observation);
    if (next.kind === 'Done') return { kind: 'Open', target, attempts };
    const sent = await context.slots(() => recheckAndSend(pod, target, next.step, context));
    switch (sent.kind) {
      case 'Stopped':
        return attempts.length > 0
          ? { kind: 'Open', target, attempts }
          : { kind: 'Decided', container, attempts, outcome: { kind: 'NotAttempted', reason: sent.reason } };
      case 'Stale':
        return { kind: 'Decided', container, attempts, outcome: { kind: 'Skipped', reason: sent.reason } };
      case 'Overtaken':
        observation = sent.observation;
        break;
      case 'Attempted':
        attempts.push(sent.attempt);
        context.emit({ kind: 'StepSent', pod, container, attempt: sent.attempt });
        observation = await awaitExit(pod, target, sent.attempt, context);
        break;
    }
  }
}

/** Waits the step's grace for the container to end; no slot is held meanwhile. */
async function awaitExit(
  pod: PodRef,
  target: PlannedTarget,
  attempt: Attempt,
  { observer }: ApplyContext,
): Promise<Observation> {
  if (!mayHaveWorked(attempt)) return { kind: 'Running' };
  const look = (reading: PodReading) => observe(reading, target.container, target.containerId);
  const hasEnded = (reading: PodReading) => {
    const { kind } = look(reading);
    return kind !== 'Running' && kind !== 'Unreadable';
  };
  const reading = await observer.until(pod, hasEnded, attempt.step.grace);
  return reading ? look(reading) : { kind: 'Running' };
}

function concludeDriven(driven: Driven, reading: PodReading): TargetConclusion {
  const { attempts } = driven;
  if (driven.kind === 'Decided') return { ...driven, endedAt: undefined };
  const { container, containerId } = driven.target;
  const observation = observe(reading, container, containerId);
  return {
    container,
    attempts,
    outcome: concludeTarget(attempts, observation),
    endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
  };
}
