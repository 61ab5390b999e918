import { expect } from 'vitest';
import { judge } from '../../src/judge/judge.ts';
import type {
  Attempt,
  AttemptResult,
  Candidate,
  PlannedTarget,
  PodView,
  SkippedTarget,
  Step,
} from '../../src/types.ts';
import { now, podView } from './pod-view.ts';
import { noFacts, policy } from './policy.ts';

/** The verdict on a pod that is stuck; a pod that is not fails the test that asked for it. */
export function candidate(pod: PodView = podView()): Candidate {
  const verdict = judge(pod, policy(), now, noFacts);
  if (verdict.kind !== 'Candidate') expect.fail(`not a candidate: ${JSON.stringify(verdict)}`);
  return verdict;
}

export function step(signal = 15, more: Partial<Step> = {}): Step {
  return {
    method: 'Command',
    command: ['/bin/sh', '-c', `kill -${signal} 1`],
    source: 'Default',
    signal,
    grace: 30_000,
    ...more,
  };
}

/** TERM and KILL for the instance of `sidecar` that `podView` shows. */
export function plannedTarget(more: Partial<PlannedTarget> = {}): PlannedTarget {
  return {
    kind: 'Planned',
    container: 'sidecar',
    containerId: 'containerd://sidecar-0',
    steps: [step(15), step(9)],
    ...more,
  };
}

export function skippedTarget(container = 'sidecar'): SkippedTarget {
  return {
    kind: 'Skipped',
    container,
    outcome: { kind: 'Skipped', reason: { kind: 'SharedProcessNamespace' } },
  };
}

export function attempt(result: AttemptResult = { kind: 'Accepted' }, signal = 15): Attempt {
  return { step: step(signal), sentAt: now, duration: 12.5, result };
}

/** One of every kind. */
export const attemptResults = {
  Accepted: { kind: 'Accepted' },
  Unconfirmed: { kind: 'Unconfirmed', message: 'exit code 137' },
  Refused: { kind: 'Refused', message: 'pods/exec needs the verbs get and create: forbidden' },
  NoSuchProgram: { kind: 'NoSuchProgram', program: '/bin/sh', message: 'stat /bin/sh: no such file' },
  Undelivered: { kind: 'Undelivered', message: 'connection refused' },
} as const satisfies { readonly [K in AttemptResult['kind']]: AttemptResult & { readonly kind: K } };
