import { sendToPod } from '../methods/index.ts';
import type { Attempt, AttemptResult, Millis, Observation, PodPlan, PodStep } from '../vocabulary.ts';
import { mayHaveWorked } from './advance.ts';
import type { ApplyContext } from './context.ts';
import { type Driven, hasEnded } from './drive.ts';
import type { Permit } from './guard.ts';
import type { Gate } from './noop-gate.ts';
import { observe, type Watched } from './observation.ts';
import { recheck } from './recheck.ts';

type Open = Extract<Driven, { kind: 'Open' }>;

/**
 * What is done to a pod when sidecars have outlived their own steps: from outside, to all that are left by one request, in the
 * order of the plan, until none is left.
 */
export async function resortToPod(
  plan: PodPlan,
  driven: readonly Driven[],
  context: ApplyContext,
): Promise<readonly Driven[]> {
  let current = driven;
  for (const step of plan.lastResort) {
    const left = current.filter((one): one is Open => one.kind === 'Open' && mayStillRun(one.observation));
    if (left.length === 0 || context.stop.aborted) break;
    const taken = await takePodStep(plan, left, step, context);
    if (!taken) break;
    current = current.map((one) => (one.kind === 'Open' && left.includes(one) ? taken(one) : one));
  }
  return current;
}

function mayStillRun({ kind }: Observation): boolean {
  return kind === 'Running' || kind === 'Restarted';
}

/** Takes one step; how each of the sidecars that were left stands after it, or nothing when the pod has changed. */
async function takePodStep(
  plan: PodPlan,
  left: readonly Open[],
  step: PodStep,
  context: ApplyContext,
): Promise<((one: Open) => Open) | undefined> {
  const { observer, clock, emit } = context;
  const { ref } = plan.candidate.pod;
  const gate = await context.noopGate.permit(step);
  const permits = await permitAll(plan, left, step, gate, context);
  const held = permits.find((permit) => permit.kind === 'Held');
  const sent = held
    ? { attempt: heldAttempt(step, held.reason, clock.now()), watched: left.map(({ watched }) => watched) }
    : await sendPatiently(plan, left, step, context);
  const reading =
    sent && mayHaveWorked(sent.attempt)
      ? await observer.until(ref, (later) => sent.watched.every((one) => hasEnded(later, one)), step.grace)
      : undefined;
  const after = (container: string): Observation => {
    const watched = sent?.watched.find((one) => one.container === container);
    return watched && reading ? observe(reading, watched) : { kind: 'Running' };
  };
  for (const [index, permit] of permits.entries()) {
    const container = left[index]?.target.container ?? '';
    if (permit.kind === 'Canary') permit.tell(held ? undefined : sent?.attempt, after(container));
  }
  if (gate.kind === 'First') {
    gate.tell(held || !sent ? [] : sent.watched.map(({ container }) => after(container)));
  }
  if (!sent) return undefined;
  for (const { container } of sent.watched)
    emit({ kind: 'StepSent', pod: ref, container, attempt: sent.attempt });
  return (one) => ({
    ...one,
    attempts: [...one.attempts, sent.attempt],
    watched: sent.watched.find(({ container }) => container === one.target.container) ?? one.watched,
    observation: after(one.target.container),
  });
}

/** The guard's word for every sidecar, asked for in one order everywhere, so that no two pods wait for each other. */
async function permitAll(
  { candidate, isProtected }: PodPlan,
  left: readonly Open[],
  step: PodStep,
  gate: Gate,
  { guard }: ApplyContext,
): Promise<readonly Permit[]> {
  if (gate.kind === 'Held') {
    return left.map(({ target }) => guard.hold('NoopDoesNotStart', candidate, target.image, step));
  }
  const inOrder = [...left].sort((a, b) => (a.target.image < b.target.image ? -1 : 1));
  const permits = new Map<Open, Permit>();
  const tried = new Set<string>();
  for (const one of inOrder) {
    // Two sidecars of one image in one pod are one try.
    if (tried.has(one.target.image)) continue;
    tried.add(one.target.image);
    permits.set(one, await guard.permit(candidate, isProtected, one.target, step));
  }
  return left.map((one) => permits.get(one) ?? { kind: 'Go' });
}

interface SentToPod {
  readonly attempt: Attempt;
  readonly watched: readonly Watched[];
}

const triesWhenBusy = 4;
const longestPause: Millis = 30_000;

/** Sends, and again after a pause when the server asks for one, as for an eviction against a disruption budget. */
async function sendPatiently(
  plan: PodPlan,
  left: readonly Open[],
  step: PodStep,
  context: ApplyContext,
): Promise<SentToPod | undefined> {
  const { clock, slots, stop } = context;
  for (let tries = 1; ; tries++) {
    const sent = await slots(() => recheckAndSend(plan, left, step, context));
    const result = sent?.attempt.result;
    if (result?.kind !== 'Busy' || tries === triesWhenBusy || stop.aborted) return sent;
    await clock.sleep(Math.min(result.retryAfterMs ?? 1_000 * 2 ** tries, longestPause), stop);
  }
}

/** Reads the pod again and sends the step to those of its sidecars that still run. */
async function recheckAndSend(
  plan: PodPlan,
  left: readonly Open[],
  step: PodStep,
  context: ApplyContext,
): Promise<SentToPod | undefined> {
  const { cluster, clock, cut } = context;
  const { ref } = plan.candidate.pod;
  const checked = await recheck(ref, context);
  if (checked.kind !== 'Candidate') return undefined;
  const running = checked.candidate.sidecars.filter(
    ({ container: { name, state } }) =>
      state.kind === 'Running' && left.some(({ target }) => target.container === name),
  );
  if (running.length === 0) return undefined;
  const names = running.map(({ container }) => container.name);
  const sentAt = clock.now();
  const result = await sendToPod(cluster, ref, names, step, cut);
  const swappedFor = step.method === 'ImageSwap' ? step.image : undefined;
  return {
    attempt: { step, sentAt, duration: clock.now() - sentAt, result },
    watched: running.map(({ container: { name, id = '' } }) => ({
      container: name,
      containerId: id,
      swappedFor,
    })),
  };
}

function heldAttempt(
  step: PodStep,
  reason: Extract<AttemptResult, { kind: 'Held' }>['reason'],
  sentAt: Millis,
): Attempt {
  return { step, sentAt, duration: 0, result: { kind: 'Held', reason } };
}
