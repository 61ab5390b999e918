import { judge } from '../judge/judge.ts';
import { methodNamed, newImageOf, sendStep } from '../methods/index.ts';
import type { AttemptResult, BlockedReason, NotAttemptedReason, SkipReason } from '../model/outcome.ts';
import type { PodView } from '../model/pod.ts';
import { describeFault, faultOf } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import type { PlannedStep, PodPlan } from '../plan/sweep-plan.ts';
import { readFresh } from '../util/retry.ts';
import type { Millis } from '../util/time.ts';
import { type ApplyContext, stopReason } from './context.ts';
import { keepLogs } from './keep-logs.ts';
import { goesThroughNode } from './nodes.ts';
import type { Taken } from './taken.ts';
import { observe, type Watched } from './wait/observation.ts';

/** Sends a step to those of the containers that still run, if it is still the same pod and still stuck. */
export async function recheckAndSend(
  plan: PodPlan,
  watched: readonly Watched[],
  step: PlannedStep,
  context: ApplyContext,
): Promise<Taken> {
  const { cluster, clock, stop, cut } = context;
  const pod = plan.candidate.pod.ref;
  const reason = whyNot(plan.candidate.pod, step, context);
  if (reason) return notAttempted(reason);
  const logs = await keepLogs(pod, watched, step, context);
  const began = clock.now();
  const attempted = (result: AttemptResult, sentAt: Millis, to: readonly Watched[]): Taken => ({
    kind: 'Attempted',
    attempt: { step, sentAt, duration: clock.now() - sentAt, result, ...(logs.size > 0 && { logs }) },
    watched: to,
    reading: undefined,
  });
  // Exec has no precondition on the uid: a read just before is as near as it gets.
  const reading = await readFresh(
    clock,
    () => cluster.readPod(pod, cut),
    ({ kind }) => kind === 'Present',
  );
  if (stop.aborted) return notAttempted(stopReason(stop));
  if (reading.kind === 'Unreadable') {
    const message = `the pod could not be read before sending: ${reading.problem.message}`;
    return attempted({ kind: 'Undelivered', message }, began, watched);
  }
  if (reading.kind !== 'Present') return { kind: 'Overtaken', reading };
  // A step for one container is for the planned instance alone; one for the pod is for whatever runs by now.
  const isForAnyInstance = methodNamed(step.method).ends !== 'Container';
  const meant = isForAnyInstance ? watched.map((one) => asItIsNow(one, reading.pod)) : watched;
  const running = meant.filter((one) => observe(reading, one).kind === 'Running');
  if (running.length === 0) return { kind: 'Overtaken', reading };
  const checked = recheck(reading.pod, reading.asOf, context);
  if (checked.kind === 'Stale') return skipped(checked.reason);
  const sidecars = checked.candidate.sidecars.map(({ container }) => container.name);
  const [first, ...others] = running.filter(({ container }) => sidecars.includes(container));
  if (!first) return skipped({ kind: 'NoLongerCandidate', because: [{ kind: 'NoSidecar' }] });
  const sentAt = clock.now();
  const containers = [first.container, ...others.map(({ container }) => container)] as const;
  const isStill = (later: PodView) =>
    recheck(later, reading.asOf, context).kind === 'Candidate' &&
    running.some((one) => observe({ ...reading, pod: later }, one).kind === 'Running');
  const to = { cluster, pod, containers, isStill, abort: cut };
  const result = await sendOnce(step, to, context);
  return attempted(
    result,
    sentAt,
    [first, ...others].map((one) => ({ ...one, swappedFor: newImage(step, one, plan) })),
  );
}

/** Sends a step; after an error, nobody knows whether it arrived. */
async function sendOnce(
  step: PlannedStep,
  to: Parameters<typeof sendStep>[1],
  { emit }: ApplyContext,
): Promise<AttemptResult> {
  try {
    return await sendStep(step, to);
  } catch (error) {
    const fault = faultOf(`sending to ${to.pod.namespace}/${to.pod.name}`, error);
    emit({ kind: 'FaultFound', fault });
    return { kind: 'Unconfirmed', message: describeFault(fault) };
  }
}

/** The image that a container gets, by the API server's own answer if it gave one: a webhook may have rewritten it. */
export function newImage(
  step: PlannedStep,
  { container }: Watched,
  { swappable }: PodPlan,
): string | undefined {
  const asked = newImageOf(step);
  return asked && (swappable.find((one) => one.container === container)?.image ?? asked);
}

/** Whichever instance of the container the pod has. */
function asItIsNow(watched: Watched, { containers }: PodView): Watched {
  const id = containers.find(({ name }) => name === watched.container)?.id;
  return id === undefined ? watched : { ...watched, containerId: id };
}

type Rechecked =
  | { readonly kind: 'Candidate'; readonly candidate: Candidate }
  | { readonly kind: 'Stale'; readonly reason: SkipReason };

/** Judges a pod once more. */
function recheck(pod: PodView, now: Millis | undefined, { policy, facts }: ApplyContext): Rechecked {
  const verdict = judge(pod, policy, now, facts);
  switch (verdict.kind) {
    case 'Candidate':
      return { kind: 'Candidate', candidate: verdict };
    case 'NeverStarted':
      return { kind: 'Stale', reason: noLonger([{ kind: 'NotRunning', phase: pod.phase }]) };
    case 'NotStartedAgain':
      return { kind: 'Stale', reason: noLonger([{ kind: 'NoRunningSidecar' }]) };
    case 'Undecided':
      return { kind: 'Stale', reason: { kind: 'Undecided', problem: verdict.problem } };
    case 'Hanging':
    case 'Excluded':
      return { kind: 'Stale', reason: noLonger(verdict.because) };
  }
}

type NoLonger = Extract<SkipReason, { readonly kind: 'NoLongerCandidate' }>;

function noLonger(because: NoLonger['because']): NoLonger {
  return { kind: 'NoLongerCandidate', because };
}

function skipped(reason: SkipReason): Taken {
  return { kind: 'Withheld', outcome: { kind: 'Skipped', reason } };
}

/** Nothing was sent, to protect finished work. */
export function blockedBack(
  reason: BlockedReason,
  watched: readonly Watched[],
  step: PlannedStep,
  at: Millis,
): Taken {
  const attempt = { step, sentAt: at, duration: 0, result: { kind: 'Blocked', reason } } as const;
  return { kind: 'Attempted', attempt, watched, reading: undefined };
}

/** Why nothing may be sent to a pod any more. */
export function whyNot(
  { node }: PodView,
  step: PlannedStep,
  { stop, nodes, policy }: ApplyContext,
): NotAttemptedReason | undefined {
  if (stop.aborted) return stopReason(stop);
  return nodes.isLost(node) && goesThroughNode(step, policy) ? 'NodeUnreachable' : undefined;
}

/** Nothing was sent: the sweep is stopping, or the node does not answer. */
export function notAttempted(reason: NotAttemptedReason): Taken {
  return { kind: 'Withheld', outcome: { kind: 'NotAttempted', reason } };
}
