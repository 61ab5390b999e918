import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod, newImageOf } from '../methods/index.ts';
import type { BlockedReason } from '../model/outcome.ts';
import type { PodRef, PodView } from '../model/pod.ts';
import type { PodReading } from '../model/reading.ts';
import { gentlerThan } from '../plan/blocked.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../plan/sweep-plan.ts';
import { isUnderWay, timeToShow } from './attempts.ts';
import type { ApplyContext } from './context.ts';
import { recall } from './guard/begun.ts';
import { allPromisesOf, type Promised, type Promises, promisesOf } from './guard/promises.ts';
import { spendOf } from './guard/spend.ts';
import { goesThroughNode } from './nodes.ts';
import { blockedBack, notAttempted, recheckAndSend, whyNot } from './send.ts';
import { type Attempted, attemptsOf, sentAgain, type Taken } from './taken.ts';
import { hasEnded, observe, type Watched } from './wait/observation.ts';
import { hasMissed, patiently } from './wait/patience.ts';

/** A sidecar that a step is for, and the instance of it that is watched. */
export interface Addressee {
  readonly target: PlannedTarget;
  readonly watched: Watched;
  /** What it got before. */
  readonly attempts: readonly Attempt[];
}

/** Takes one step: room in the Job, the request, and the wait for its effect, which occupies no slot. */
export async function takeStep(
  plan: PodPlan,
  to: readonly Addressee[],
  step: PlannedStep,
  context: ApplyContext,
): Promise<Taken> {
  const { pod } = plan.candidate;
  const watched = to.map((one) => one.watched);
  const targets = to.map(({ target }) => target);
  const promised = promisesOf(plan, targets, step, context.policy.uncleanExit);
  const earlier = await recall(plan, watched, step, context);
  if (earlier) {
    const recalled = await awaitEffect(pod.ref, earlier, context);
    learnFrom(recalled, promised, context.promises);
    return recalled;
  }
  let room = 0;
  let taken: Taken | undefined;
  const giveBack = () => {
    context.rooms.giveBack(pod, room);
    room = 0;
  };
  const send = async (): Promise<Taken> => {
    const reason = whyNot(pod, step, context);
    if (reason) return notAttempted(reason);
    const held = await whyBlocked(plan, to, step, promised, context);
    if (held) return blockedBack(held, watched, step, context.clock.now());
    const taken = await takeRoom(plan, to.length, step, context);
    if (taken.kind === 'Blocked') return blockedBack(taken.reason, watched, step, context.clock.now());
    ({ room } = taken);
    const sent = await sendInTurn(plan, watched, step, context);
    if (hasMissed(sent)) giveBack();
    return sent;
  };
  try {
    taken = await patiently(send, context.limit.cut(step.grace), context);
    report(pod.ref, taken, context);
    if (hasMissed(taken)) return taken;
    taken = await awaitEffect(pod.ref, taken, context);
    for (let again = 0; isUnclear(taken) && again < timesAgain(taken) && !context.stop.aborted; again++) {
      taken = await takeAgain(plan, taken, context);
    }
    return taken;
  } finally {
    if (taken && !hasMissed(taken)) {
      learnFrom(taken, promised, context.promises);
      if (mayHaveCost(taken)) restUnlessEnded(pod, taken, context);
      else giveBack();
    }
  }
}

/** Why a step is held, apart from its clearance. */
async function whyBlocked(
  plan: PodPlan,
  to: readonly Addressee[],
  step: PlannedStep,
  promised: readonly Promised[],
  { promises, policy }: ApplyContext,
): Promise<BlockedReason | undefined> {
  const before = to.flatMap(({ attempts }) => attempts);
  const gentler = step.blocked === undefined ? gentlerThan(step, before)?.result : undefined;
  if (gentler?.kind === 'Blocked') return gentler.reason;
  if (promised.length === 0) return undefined;
  const targets = to.map(({ target }) => target);
  const all = [...promised, ...allPromisesOf(plan, targets, policy.uncleanExit)];
  return (await promises.isAnyBroken(all)) ? 'PromiseBroken' : undefined;
}

/** Whether anything was sent that may have told a container to end. */
function mayHaveCost(taken: Taken): boolean {
  return taken.kind === 'Attempted' && attemptsOf(taken).some(mayHaveWorked);
}

/** A pod of which a container still runs keeps its room in the Job, but nobody waits for it. */
function restUnlessEnded(pod: PodView, taken: Taken, { rooms }: ApplyContext): void {
  if (taken.kind !== 'Attempted') return;
  const { reading, watched } = taken;
  if (!reading || !watched.every((one) => hasEnded(reading, one))) rooms.rest(pod);
}

/** Sends as soon as there is a slot, and before that its node has room for another request, if it goes there. */
function sendInTurn(
  plan: PodPlan,
  watched: readonly Watched[],
  step: PlannedStep,
  context: ApplyContext,
): Promise<Taken> {
  const { nodes, policy } = context;
  const node = goesThroughNode(step, policy) ? plan.candidate.pod.node : undefined;
  return nodes.through(node, () => recheckAndSend(plan, watched, step, context));
}

/** Takes room in the Job for the restarts that a step may cost, as much as is given back if nothing comes of the step. */
async function takeRoom(
  plan: PodPlan,
  sidecars: number,
  step: PlannedStep,
  { rooms, policy, stop }: ApplyContext,
): Promise<
  | { readonly kind: 'Taken'; readonly room: number }
  | { readonly kind: 'Blocked'; readonly reason: BlockedReason }
> {
  const { pod } = plan.candidate;
  const reason = step.blocked;
  if (reason) return { kind: 'Blocked', reason };
  const spend = spendOf(plan, step, sidecars);
  for (;;) {
    const answer = await rooms.take(pod, spend, step.raisesLimit);
    if (answer === 'Taken') return { kind: 'Taken', room: spend };
    // Those who allow unclean ends let a Job fail rather than leave it stuck.
    const isFreeToFail = answer === 'None' && policy.uncleanExit === 'allow';
    if (stop.aborted || isFreeToFail) return { kind: 'Taken', room: 0 };
    if (answer === 'None') return { kind: 'Blocked', reason: 'NoRoomInJob' };
    await rooms.change(pod);
  }
}

/** Whether it is unknown if the step arrived, and the pod shows containers that still run. */
function isUnclear(taken: Taken): taken is Attempted {
  if (taken.kind !== 'Attempted' || taken.attempt.result.kind !== 'Unconfirmed') return false;
  if (isUnderWay([taken.attempt])) return false;
  const { reading, watched } = taken;
  return !reading || watched.some((one) => ['Running', 'Unreadable'].includes(observe(reading, one).kind));
}

/**
 * How often a step may be sent again: thrice if the sidecar most likely learns of it for the first time, or learns nothing of a write
 * to the pod that was made already.
 */
function timesAgain({ attempt: { step, result } }: Attempted): number {
  const isUnopened = result.kind === 'Unconfirmed' && result.unopened === true;
  const isWrite = newImageOf(step) !== undefined || endsPod(step.method);
  return isUnopened || isWrite ? 3 : 1;
}

/**
 * Sends the same step once more. If it had arrived, a second TERM or request to quit tells the sidecar what it knows, and a second
 * write changes nothing; a container that has ended does not run the command at all. A harsher step would be the worse error.
 */
async function takeAgain(plan: PodPlan, before: Attempted, context: ApplyContext): Promise<Taken> {
  const { step } = before.attempt;
  const send = () => sendInTurn(plan, before.watched, step, context);
  const pod = plan.candidate.pod.ref;
  const sent = await patiently(send, context.limit.cut(step.grace), context);
  report(pod, sent, context);
  return sentAgain(before, await awaitEffect(pod, sent, context));
}

/** Waits for the containers to end, or for as long as a sweep may wait for a pod. */
async function awaitEffect(pod: PodRef, sent: Taken, { poller, clock, limit }: ApplyContext): Promise<Taken> {
  if (sent.kind !== 'Attempted') return sent;
  const { watched } = sent;
  const { due: dueBefore, ...attempt } = sent.attempt;
  const time = dueBefore === undefined ? timeToShow(attempt) : dueBefore - clock.now();
  if (time <= 0) return { ...sent, attempt };
  const allHaveEnded = (reading: PodReading) => watched.every((one) => hasEnded(reading, one));
  const due = clock.now() + time;
  const isCut = !limit.allows(time);
  const reading = await poller.until(pod, allHaveEnded, time);
  const isOpen = isCut && !(reading && allHaveEnded(reading));
  return { ...sent, attempt: isOpen ? { ...attempt, due } : attempt, reading };
}

function report(pod: PodRef, taken: Taken, { emit }: ApplyContext): void {
  if (taken.kind !== 'Attempted') return;
  for (const { container } of taken.watched) {
    emit({ kind: 'StepSent', pod, container, attempt: taken.attempt });
  }
}

/** Tells how the sidecars ended that the step was sent to, unless something else was ending the pod. */
function learnFrom(taken: Taken, promised: readonly Promised[], promises: Promises): void {
  if (taken.kind !== 'Attempted' || !mayHaveCost(taken)) return;
  const { reading, watched } = taken;
  if (reading?.kind === 'Present' && (reading.pod.deleting || reading.pod.disrupted)) return;
  for (const one of promised) {
    const sentTo = watched.find(({ container }) => container === one.container);
    if (reading && sentTo) promises.learn(one, observe(reading, sentTo));
  }
}
