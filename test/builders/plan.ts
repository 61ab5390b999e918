import { expect } from 'vitest';
import { judge } from '../../src/judge/judge.ts';
import type { MethodName } from '../../src/methods/index.ts';
import type { AttemptResult } from '../../src/model/outcome.ts';
import type { PodView } from '../../src/model/pod.ts';
import type { Candidate } from '../../src/model/verdict.ts';
import type { Attempt } from '../../src/plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget, PodPlan, SkippedTarget } from '../../src/plan/sweep-plan.ts';
import { container, exited, minute, now, podView, running } from './pod-view.ts';
import { noFacts, policy } from './policy.ts';

export function candidate(pod: PodView = podView()): Candidate {
  const verdict = judge(pod, policy(), now, noFacts);
  if (verdict.kind !== 'Candidate') expect.fail(`not a candidate: ${JSON.stringify(verdict)}`);
  return verdict;
}

type PlannedCommand = Extract<PlannedStep, { readonly method: 'Command' }>;

/** A command that sends this signal to PID 1. */
export function step(signal = 15, more: Partial<PlannedCommand> = {}): PlannedCommand {
  return {
    method: 'Command',
    command: ['/bin/sh', '-c', `kill -${signal} 1`],
    source: { kind: 'Default' },
    exitCode: undefined,
    grace: 30_000,
    ...more,
  };
}

const common = { source: { kind: 'Default' }, exitCode: undefined, grace: 30_000 } as const;

// biome-ignore format: one row a line
export const steps: { readonly [M in MethodName]: Extract<PlannedStep, { readonly method: M }> } = {
  Command: step(),
  Http: { method: 'Http', request: { method: 'POST', port: 15_020, path: '/quitquitquit', headers: {}, statuses: [] }, ...common },
  Signal: { method: 'Signal', signals: ['TERM'], ...common },
  ImageSwap: { method: 'ImageSwap', image: 'noop:1', programs: 'shipped', ...common },
  EphemeralContainer: { method: 'EphemeralContainer', image: 'busybox:1', command: ['/bin/sh', '-c', 'kill -15 1'], ...common },
  Deadline: { method: 'Deadline', ...common },
  Evict: { method: 'Evict', ...common },
  Delete: { method: 'Delete', ...common },
};

/** A target with TERM and KILL by command, for the instance of `sidecar` in `podView`. */
export function plannedTarget(more: Partial<PlannedTarget> = {}): PlannedTarget {
  return {
    kind: 'Planned',
    container: 'sidecar',
    containerId: 'containerd://sidecar-0',
    image: 'docker.io/local/busybox:1',
    turn: 0,
    steps: [step(15), step(9)],
    uncertain: [],
    unfit: [],
    ...more,
  };
}

export function skippedTarget(container = 'sidecar'): SkippedTarget {
  return {
    kind: 'Skipped',
    container,
    turn: 0,
    outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } },
    unfit: [],
  };
}

export function endedTarget(container: string): SkippedTarget {
  return { kind: 'Skipped', container, turn: 0, outcome: { kind: 'AlreadyEnded', exitCode: 0 }, unfit: [] };
}

export function podPlan(more: Partial<PodPlan> = {}): PodPlan {
  const { targets = [plannedTarget()] } = more;
  return {
    candidate: candidate(),
    targets,
    swap: undefined,
    lastResort: [],
    uncleanCost: { kind: 'AnotherRun' },
    prediction: { phase: 'Unknown', job: 'Unknown' },
    ...more,
  };
}

export function attempt(result: AttemptResult = { kind: 'Accepted' }, signal = 15): Attempt {
  return { step: step(signal), sentAt: now, duration: 12.5, result };
}

/** One result of every kind. */
export const attemptResults = {
  Accepted: { kind: 'Accepted' },
  Unconfirmed: { kind: 'Unconfirmed', message: 'exit code 137' },
  Failed: { kind: 'Failed', message: 'exit code 1' },
  NotThere: { kind: 'NotThere', message: 'container not found ("sidecar")' },
  Refused: { kind: 'Refused', message: 'pods/exec needs the verbs get and create: forbidden' },
  NoSuchProgram: { kind: 'NoSuchProgram', program: '/bin/sh', message: 'stat /bin/sh: no such file' },
  Unsupported: { kind: 'Unsupported', message: 'HTTP 404' },
  Immune: { kind: 'Immune', message: 'PID 1 has no handler for TERM' },
  Blocked: { kind: 'Blocked', reason: 'UnknownEnd' },
  Busy: { kind: 'Busy', message: 'the disruption budget allows none', retryAfterMs: 10_000 },
  Undelivered: { kind: 'Undelivered', message: 'connection refused' },
} as const satisfies { readonly [K in AttemptResult['kind']]: AttemptResult & { readonly kind: K } };

/** A stuck pod, as far as its turn and the caps depend on it. */
export interface Stuck {
  readonly name: string;
  readonly namespace?: string;
  readonly node?: string;
  readonly cpu?: number;
  readonly memory?: number;
  /** For how many minutes its last main has ended. */
  readonly minutes?: number;
  readonly plan?: Partial<PodPlan>;
}

/** The plan for a stuck pod; its uid is its name. */
export function stuckPlan({ name, cpu = 1, memory = 0, minutes = 60, plan, ...where }: Stuck): PodPlan {
  const { namespace = 'demo', node = 'node1' } = where;
  const view: Partial<PodView> = {
    ref: { namespace, name, uid: name },
    node,
    requests: { cpu, memory },
    containers: [container('main', exited(0, now - minutes * minute)), container('sidecar', running)],
  };
  return podPlan({ candidate: candidate(podView(view)), ...plan });
}

export function nameOf({ candidate: { pod } }: PodPlan): string {
  return pod.ref.name;
}
