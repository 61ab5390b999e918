import { expect } from 'vitest';
import { Guard, type Permit } from '../../../../src/apply/guard/guard.ts';
import type { Memory } from '../../../../src/apply/guard/memory.ts';
import type { AttemptResult } from '../../../../src/model/outcome.ts';
import type { Observation } from '../../../../src/model/reading.ts';
import type { UncleanExit } from '../../../../src/model/step.ts';
import { withClearance } from '../../../../src/plan/clearance.ts';
import type { Attempt } from '../../../../src/plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget, PodPlan } from '../../../../src/plan/sweep-plan.ts';
import { jobFacts } from '../../../builders/job.ts';
import { attempt, candidate, plannedTarget, podPlan, step } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';

export const clean: Observation = { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined };
export const unclean: Observation = { ...clean, exitCode: 143 };
export const restarted: Observation = { kind: 'Restarted', exitCode: 143, restartCount: 1 };
export const stillRunning: Observation = { kind: 'Running' };
export const notStarted: Observation = { kind: 'NotStarted', reason: 'ImagePullBackOff' };

/** How containers of an image are started. */
export function alike(image: string, how = 'busybox'): string {
  return `${image} ${how}`;
}

/** A sidecar of an image; `alike` says how it is started. */
export function sidecar(more: Partial<PlannedTarget> = {}): PlannedTarget {
  const { image, alike: how } = { ...plannedTarget(), ...more };
  return plannedTarget({ ...more, alike: alike(image, how) });
}

/** A guard, and pods that ask it for permission, each of them another one. */
export function guarded(...earlier: readonly string[]) {
  const stopping = new AbortController();
  const asked: string[] = [];
  const noted: string[] = [];
  const memory: Memory = {
    knows: async (how) => before.has(how),
    note: (how) => void noted.push(how),
    begun: async () => undefined,
    begin: () => undefined,
    settled: async () => undefined,
  };
  const before = new Set<string>();
  const guard = new Guard(
    async () => {
      asked.push('what ended unclean before');
      return new Set(earlier);
    },
    memory,
    stopping.signal,
  );
  let pods = 0;
  const askAgain = (sent: PlannedStep, ...targets: readonly Partial<PlannedTarget>[]) =>
    guard.permit(planOf(pods), targets.length > 0 ? targets.map(sidecar) : [sidecar()], sent);
  return {
    guard,
    /** What ended before was read so many times. */
    asked,
    /** What earlier sweeps have noted, and what this one has. */
    before,
    noted,
    /** A pod that has not asked before, for one sidecar unless told otherwise. */
    ask(sent: PlannedStep = step(), ...targets: readonly Partial<PlannedTarget>[]) {
      pods++;
      return askAgain(sent, ...targets);
    },
    /** The pod that asked last. */
    askAgain,
    stop: () => stopping.abort('Signal'),
  };
}

/** The plan for a pod of this number. */
export function planOf(number: number, more: Partial<PodPlan> = {}): PodPlan {
  const ref = { namespace: 'demo', name: `pod-${number}`, uid: `uid-${number}` };
  return podPlan({ candidate: candidate(podView({ ref })), ...more });
}

/** What is known by now, without waiting for what is not. */
export function soFar(permits: readonly Promise<Permit>[]): Promise<readonly string[]> {
  const turn = new Promise<string>((resolve) => setImmediate(resolve, 'waits'));
  return Promise.all(
    permits.map((permit) =>
      Promise.race([permit.then((one) => (one.kind === 'Held' ? one.reason : one.kind)), turn]),
    ),
  );
}

/** Tells the guard what came of a pod that went first: the same of all its containers, or of each its own. */
export async function tell(
  permit: Promise<Permit>,
  seen: Observation | Readonly<Record<string, Observation>>,
  result: AttemptResult = { kind: 'Accepted' },
): Promise<void> {
  await tellOf(permit, attempt(result), seen);
}

/** Tells the guard that nothing was sent to a pod that went first. */
export async function tellNotSent(permit: Promise<Permit>): Promise<void> {
  await tellOf(permit, undefined, stillRunning);
}

async function tellOf(
  permit: Promise<Permit>,
  sent: Attempt | undefined,
  seen: Observation | Readonly<Record<string, Observation>>,
): Promise<void> {
  const first = await permit;
  if (first.kind !== 'First') expect.fail(`not the first: ${first.kind}`);
  first.tell(sent, (container) => (isObservation(seen) ? seen : (seen[container] ?? stillRunning)));
}

function isObservation(seen: Observation | Readonly<Record<string, Observation>>): seen is Observation {
  return typeof seen.kind === 'string';
}

/** A step with what a mode says of it, in a pod that would run again or has nothing to lose. */
export function cleared(step: PlannedStep, hasMuchToLose: boolean, mode: UncleanExit): PlannedStep {
  const pod = hasMuchToLose ? podView() : podView({ owner: undefined });
  return withClearance(step, ['sidecar'], { candidate: candidate(pod), job: jobFacts(), mode });
}
