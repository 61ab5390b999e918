import type { JobReader } from '../facts/job-reader.ts';
import { judge } from '../judge/judge.ts';
import { describeStep, methodNamed, newImageOf } from '../methods/index.ts';
import type { Recipient } from '../methods/method.ts';
import { asItIsNow, observe, type Watched } from '../model/observation.ts';
import type { AttemptResult, ContainerOutcome, KeptLog, SkipReason, StopReason } from '../model/outcome.ts';
import type { PodRef, PodView } from '../model/pod.ts';
import type { Cluster, ExecResult, HttpResult, LogReading } from '../model/ports.ts';
import { describeFault, type Facts, faultOf, type PodReading } from '../model/reading.ts';
import type { Candidate } from '../model/verdict.ts';
import { costOfEnded } from '../plan/blocked.ts';
import type { Attempt, Emit } from '../plan/sweep-event.ts';
import { imageAfter, type PlannedStep, type PodPlan } from '../plan/sweep-plan.ts';
import { whyNoLonger } from '../plan/unsent.ts';
import type { Policy } from '../policy/policy.ts';
import { readFresh } from '../util/retry.ts';
import type { Clock, Millis } from '../util/time.ts';

export interface SendContext {
  readonly cluster: Cluster;
  readonly policy: Policy;
  /** As they were when the pods were judged, except for the namespace, whose owner may have opted out since. */
  readonly readFacts: (namespace: string) => Promise<Facts>;
  readonly jobs: Pick<JobReader, 'read' | 'readSoon'>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Aborted with a StopReason: nothing new is sent. */
  readonly stop: AbortSignal;
  /** Aborted some seconds after the stop: requests in flight are cut. */
  readonly cut: AbortSignal;
}

export type Sent =
  | { readonly kind: 'Attempted'; readonly attempt: Attempt; readonly watched: readonly Watched[] }
  /** Nothing was sent: the containers no longer run. */
  | { readonly kind: 'AlreadyEnded'; readonly reading: PodReading }
  /** Nothing was sent: the pod is not what it was, or the sweep is stopping. */
  | {
      readonly kind: 'NotSent';
      readonly outcome: Extract<ContainerOutcome, { readonly kind: 'Skipped' | 'NotAttempted' }>;
    };

/** Sends a step to the containers that still run, if their pod is the same, still stuck, and still swept (`isOpen`). */
export async function recheckAndSend(
  plan: PodPlan,
  watched: readonly Watched[],
  step: PlannedStep,
  context: SendContext,
  isOpen: () => boolean,
): Promise<Sent> {
  const { cluster, clock, policy, stop, cut } = context;
  const pod = plan.candidate.pod.ref;
  if (stop.aborted) return notSent(stopReason(stop));
  const logs = await keepLogs(pod, watched, step, context);
  const began = clock.now();
  const attempted = (result: AttemptResult, sentAt: Millis, to: readonly Watched[]): Sent => ({
    kind: 'Attempted',
    attempt: { step, sentAt, duration: clock.now() - sentAt, result, ...(logs.size > 0 && { logs }) },
    watched: to,
  });
  const read = async () => {
    const present = await cluster.readPod(pod, cut);
    if (present.kind !== 'Present') return present;
    return { ...present, facts: await context.readFacts(pod.namespace) };
  };
  // Exec has no precondition on the uid: a read just before is as near as it gets.
  const reading = await readFresh(clock, read, ({ kind }) => kind === 'Present');
  if (stop.aborted) return notSent(stopReason(stop));
  if (!isOpen()) return notSent('InternalError');
  if (reading.kind === 'Unreadable') {
    const message = `the pod could not be read before sending: ${reading.problem.message}`;
    const kind = reading.problem.kind === 'Forbidden' ? 'Refused' : 'Undelivered';
    return attempted({ kind, message }, began, watched);
  }
  if (reading.kind !== 'Present') return { kind: 'AlreadyEnded', reading };
  const { facts } = reading;
  // A step for one container is for the planned instance alone; one for the pod is for whatever runs by now.
  const isForAnyInstance = methodNamed(step.method).ends !== 'Container';
  const meant = isForAnyInstance ? watched.map((one) => asItIsNow(one, reading.pod)) : watched;
  const running = meant.filter((one) => observe(reading, one).kind === 'Running');
  if (running.length === 0) return { kind: 'AlreadyEnded', reading };
  const verdict = judge(reading.pod, policy, reading.asOf, facts);
  if (verdict.kind !== 'Candidate') return skipped(whyNoLonger(verdict));
  if (mustStayOpen(verdict, plan, policy)) {
    return attempted({ kind: 'Blocked', reason: 'AlreadyUnclean' }, clock.now(), watched);
  }
  const sidecars = verdict.sidecars.map(({ container }) => container.name);
  const [first, ...others] = running.filter(({ container }) => sidecars.includes(container));
  if (!first) return skipped({ kind: 'NoLongerCandidate', because: [{ kind: 'NoSidecar' }] });
  const sentAt = clock.now();
  const isStill = (later: PodView) => {
    const now = judge(later, policy, reading.asOf, facts);
    return (
      now.kind === 'Candidate' &&
      !mustStayOpen(now, plan, policy) &&
      running.some((one) => observe({ ...reading, pod: later }, one).kind === 'Running')
    );
  };
  const containers = [first.container, ...others.map(({ container }) => container)] as const;
  /** The images of the containers after a swap, according to the server's answer. */
  const images = new Map<string, string>();
  const swapImages: Cluster['swapImages'] = async (...asked) => {
    const written = await cluster.swapImages(...asked);
    const answered = written.kind === 'Written' ? (written.images ?? {}) : {};
    for (const [container, image] of Object.entries(answered)) images.set(container, image);
    return written;
  };
  const recipient = { cluster: { ...cluster, swapImages }, pod, containers, isStill, abort: cut };
  const result = await sendOnce(step, recipient, context);
  const to = [first, ...others].map(({ container, containerId }): Watched => {
    const swappedFor = images.get(container) ?? imageAfter(step, container);
    return { container, containerId, swappedFor };
  });
  return attempted(result, sentAt, to);
}

/** Whether a sidecar has ended unclean since the pod was planned: as soon as nothing runs in it any more, the pod fails. */
function mustStayOpen(candidate: Candidate, { uncleanCost }: PodPlan, { uncleanExit }: Policy): boolean {
  if (uncleanExit === 'allow' || uncleanCost.kind === 'Nothing') return false;
  return costOfEnded({ candidate, job: undefined }).kind !== 'Nothing';
}

/** Sends a step; after an error, it is unknown whether it arrived. */
async function sendOnce(step: PlannedStep, to: Recipient, { emit }: SendContext): Promise<AttemptResult> {
  try {
    // Told first: a crash must not hide it.
    emit({ kind: 'Acting', pod: to.pod, containers: to.containers, does: describeStep(step) });
    return await methodNamed(step.method).send(step, to);
  } catch (error) {
    const fault = faultOf(`sending to ${to.pod.namespace}/${to.pod.name}`, error);
    emit({ kind: 'FaultFound', fault });
    return { kind: 'Unconfirmed', message: describeFault(fault) };
  }
}

export function notSent(reason: StopReason | 'NodeUnreachable'): Sent {
  return { kind: 'NotSent', outcome: { kind: 'NotAttempted', reason } };
}

function skipped(reason: SkipReason): Sent {
  return { kind: 'NotSent', outcome: { kind: 'Skipped', reason } };
}

export function stopReason(stop: AbortSignal): StopReason {
  const reasons: readonly StopReason[] = ['Deadline', 'LockLost', 'InternalError'];
  return reasons.find((reason) => reason === stop.reason) ?? 'Signal';
}

/** A log that cannot be read is no reason not to take the step. */
async function keepLogs(
  pod: PodRef,
  watched: readonly Watched[],
  step: PlannedStep,
  { policy: { keepLogs: lines }, cluster, cut }: SendContext,
): Promise<ReadonlyMap<string, KeptLog>> {
  if (lines === 0 || newImageOf(step) === undefined) return new Map();
  const logs = watched.map(async ({ container }): Promise<readonly [string, KeptLog]> => {
    const reading = await cluster.readLog(pod, container, lines, cut);
    const log =
      reading.kind === 'Read' ? { lines: reading.lines } : { lines: [], problem: reading.problem.message };
    return [container, log];
  });
  return new Map(await Promise.all(logs));
}

/** The same cluster, which notes whether its answers show that the kubelet was reached. */
export function watchReach(cluster: Cluster): {
  readonly cluster: Cluster;
  readonly reached: () => boolean | undefined;
} {
  let reached: boolean | undefined;
  const note = <R extends ExecResult | HttpResult | LogReading>(result: R): R => {
    reached = reachOf(result) ?? reached;
    return result;
  };
  return {
    cluster: {
      ...cluster,
      exec: async (...asked) => note(await cluster.exec(...asked)),
      request: async (...asked) => note(await cluster.request(...asked)),
      readLog: async (...asked) => note(await cluster.readLog(...asked)),
    },
    reached: () => reached,
  };
}

function reachOf(result: ExecResult | HttpResult | LogReading): boolean | undefined {
  switch (result.kind) {
    case 'Exited':
    case 'NoSuchProgram':
    case 'Answered':
    case 'Closed':
    case 'NotListening':
    case 'Read':
      return true;
    case 'Undelivered':
    case 'Unconfirmed':
      return result.silentNode ? false : undefined;
    case 'Unreadable':
      return result.problem.kind === 'TimedOut' ? false : undefined;
    // The API server may have said this by itself.
    case 'NotThere':
    case 'Refused':
    case 'Busy':
      return undefined;
  }
}
