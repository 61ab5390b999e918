import { describe, expect, it } from 'vitest';
import { explain, judge } from '../../../src/judge/judge.ts';
import { stepSpec } from '../../../src/methods/index.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Exclusion } from '../../../src/model/verdict.ts';
import {
  breaking,
  container,
  exited,
  hour,
  now,
  podView,
  podWith,
  podWithSidecar,
  restartNotIn,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

const sidecar = container('sidecar', running);
const withLogging = { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' };
const besides = (state: ContainerView['state']) => podWith([container('logging', state), sidecar]);

describe('a pod is a candidate', () => {
  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: PodView]>([
    ['if its main exited 0 an hour ago and its sidecar is running', podView()],
    ['under Never with any exit code of its main', podView({ containers: [container('main', exited(7)), sidecar] })],
    ['under OnFailure if its main exited 0', podView({ restartPolicy: 'OnFailure' })],
    ['if its main was OOM-killed', podView({ containers: [container('main', { ...exited(137), reason: 'OOMKilled' }), sidecar] })],
    ['if all of several mains have ended', podView({ containers: [container('a', exited()), container('b', exited(1)), sidecar] })],
    ['if one of two sidecars has already ended', besides(exited())],
    ['if one of two sidecars is waiting and the other is running', besides(waiting())],
    ['under OnFailure if the main’s own policy is Never and it failed', podView({ restartPolicy: 'OnFailure', containers: [container('main', exited(1), { restartPolicy: 'Never' }), sidecar] })],
    ['without an owner', podView({ owner: undefined })],
    ['if a rule restarts only its sidecar', podWithSidecar({ restartRules: [restartNotIn(0)] })],
  ])('%s', (_title, pod) => {
    expect(judge(pod, policy(), now, noFacts)).toMatchObject({ kind: 'Candidate', pod });
  });

  it('since the end of its last main, not of the first', () => {
    const mains = [container('first', exited(0, now - 3 * hour)), container('last', exited(0, now - hour))];
    const verdict = judge(podView({ containers: [...mains, sidecar] }), policy(), now, noFacts);
    expect(verdict).toMatchObject({ kind: 'Candidate', mainsEndedAt: now - hour });
  });
});

// biome-ignore format: one row a line
it.each<readonly [title: string, pod: PodView, because: readonly Exclusion[]]>([
  ['if there is no evidence of a sidecar', podView({ annotations: {} }), [{ kind: 'NoSidecar' }, { kind: 'MainRunning', container: 'sidecar' }]],
  ['under Always even if its main exited 0', podView({ restartPolicy: 'Always' }), [{ kind: 'MainWillRestart', container: 'main', exitCode: 0 }]],
  ['under Always even if its main’s own policy is Never', podView({ restartPolicy: 'Always', containers: [container('main', exited(), { restartPolicy: 'Never' }), sidecar] }), [{ kind: 'MainWillRestart', container: 'main', exitCode: 0 }]],
  [
    'for every reason, not only the first',
    podView({
      phase: 'Unknown',
      deleting: true,
      restartPolicy: 'OnFailure',
      containers: [container('main', exited(1, now - 1)), container('sidecar', waiting())],
    }),
    [
      { kind: 'BeingDeleted' },
      { kind: 'NotRunning', phase: 'Unknown' },
      { kind: 'NoRunningSidecar' },
      { kind: 'MainWillRestart', container: 'main', exitCode: 1 },
      { kind: 'TooYoung', ageMs: 1 },
    ],
  ],
])('a pod is left alone %s', (_title, pod, because) => {
  expect(judge(pod, policy(), now, noFacts)).toEqual({ kind: 'Excluded', pod, because });
});

function waitsToStart(kind: 'NeverStarted' | 'NotStartedAgain', pod: PodView) {
  const mains = [expect.objectContaining({ name: 'main', exitCode: 0 })];
  const sidecars = [expect.objectContaining({ container: pod.containers[1] })];
  return { kind, pod, mains, sidecars, mainsEndedAt: now - hour };
}

describe('a pod never started', () => {
  const scope = { namespaces: [], labelSelector: undefined, includePending: true };
  const unstarted = {
    phase: 'Pending',
    containers: [container('main', exited()), container('sidecar', waiting())],
  };

  it('if it is Pending, its mains have ended, and a sidecar is waiting', () => {
    const pod = podView(unstarted);
    expect(judge(pod, policy({ scope }), now, noFacts)).toEqual(waitsToStart('NeverStarted', pod));
  });

  it('even if another sidecar is running', () => {
    const containers = [...unstarted.containers, container('logging', running)];
    const pod = podView({ ...unstarted, annotations: withLogging, containers });
    expect(judge(pod, policy({ scope }), now, noFacts).kind).toBe('NeverStarted');
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: Partial<PodView>, kinds: readonly string[]]>([
    ['it has another phase', { phase: 'Unknown' }, ['NotRunning', 'NoRunningSidecar']],
    ['it is running', { phase: 'Running' }, ['NoRunningSidecar']],
    ['none of its sidecars is waiting', { containers: [container('main', exited()), container('sidecar', exited())] }, ['NotRunning', 'NoRunningSidecar']],
    ['there is another reason', { deleting: true }, ['BeingDeleted', 'NotRunning', 'NoRunningSidecar']],
  ])('but not if %s', (_title, more, kinds) => {
    const verdict = judge(podView({ ...unstarted, ...more }), policy({ scope }), now, noFacts);
    expect(verdict.kind === 'Excluded' && verdict.because.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is left alone like any other Pending pod unless these are included', () => {
    for (const includePending of [false, undefined]) {
      const { includePending: _asked, ...others } = scope;
      const used = policy({ scope: includePending === undefined ? others : { ...scope, includePending } });
      expect(judge(podView(unstarted), used, now, noFacts).kind).toBe('Excluded');
    }
  });
});

it('a pod whose statuses do not match its spec is not judged', () => {
  const pod = podView({ statusProblems: ['container main has no status', 'a status names other'] });
  const expected = { kind: 'Undecided', pod, problem: 'container main has no status; a status names other' };
  expect(judge(pod, policy(), now, noFacts)).toEqual(expected);
});

it('an error is the verdict on its own pod, and says where it came from', () => {
  const pod = breaking(podView(), 'annotations');
  expect(judge(pod, policy(), now, noFacts)).toEqual({
    kind: 'Undecided',
    pod,
    problem: 'internal error: Error: out of paper',
    stack: expect.stringContaining('judge.test.ts'),
  });
});

describe('an explanation', () => {
  it('has the same verdict as a sweep', () => {
    for (const pod of [podView(), podView({ deleting: true }), podView({ statusProblems: ['none'] })]) {
      expect(explain(pod, policy(), now, noFacts).verdict).toEqual(judge(pod, policy(), now, noFacts));
    }
  });

  it('has only the roles of a pod that cannot be judged, in the order of the spec, without checks', () => {
    const pod = podView({ statusProblems: ['container main has no status'] });
    const { checks, containers } = explain(pod, policy(), now, noFacts);
    expect(checks).toEqual([]);
    expect(containers.map(({ evidence: [{ role }] }) => role)).toEqual(['Main', 'Sidecar']);
  });
});

const noop = 'registry.example/noop:1';
const swapping = policy({ swap: stepSpec.parse({ imageSwap: { image: noop } }) });

function between(reason: string, more: Partial<PodView> = {}, own: Partial<ContainerView> = {}): PodView {
  const swapped = { image: noop, ranImage: 'registry.example/proxy:1', ...own };
  const containers = [container('main', exited()), container('sidecar', waiting(reason), swapped)];
  return podView({ containers, ...more });
}

function kindOf(pod: PodView, used = swapping): string {
  return judge(pod, used, now, noFacts).kind;
}

describe('a pod whose sidecar has ended and cannot start again', () => {
  it('has a verdict of its own, with what it is stuck on', () => {
    const pod = between('ImagePullBackOff');
    expect(judge(pod, swapping, now, noFacts)).toEqual(waitsToStart('NotStartedAgain', pod));
  });

  it('need not be the only one that has ended', () => {
    const pod = between('ImagePullBackOff');
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar,log' };
    const containers = [...pod.containers, container('log', exited())];
    expect(kindOf({ ...pod, annotations, containers })).toBe('NotStartedAgain');
  });

  it.each([
    'ImagePullBackOff',
    'ErrImagePull',
    'ErrImageNeverPull',
    'InvalidImageName',
    'CreateContainerConfigError',
  ])('is known by its reason, whatever its image is by now: %s', (reason) =>
    expect(kindOf(between(reason, {}, { image: 'mirror.example/noop:1' }), policy())).toBe('NotStartedAgain'),
  );

  it.each(['ContainerCreating', 'CrashLoopBackOff'])(
    'is known by the no-op image of the policy, whatever it waits for: %s',
    (reason) => {
      expect(kindOf(between(reason))).toBe('NotStartedAgain');
      const lastResort = [stepSpec.parse({ imageSwap: { image: noop } })];
      expect(kindOf(between(reason), policy({ lastResort }))).toBe('NotStartedAgain');
      expect(kindOf(between(reason), policy())).toBe('Excluded');
    },
  );

  it('is known by a no-op image that is called that of this project, also if a later sweep has another', () => {
    const ours = { image: 'registry.invalid/sidecar-sweeper-noop:1' };
    expect(kindOf(between('CrashLoopBackOff', {}, ours))).toBe('NotStartedAgain');
    expect(kindOf(between('CrashLoopBackOff', {}, ours), policy())).toBe('NotStartedAgain');
  });

  it('is known by the no-op image if that lacks its program', () => {
    const lacking = { ranImage: noop, lastExitCode: 128 };
    expect(kindOf(between('CrashLoopBackOff', {}, lacking))).toBe('NotStartedAgain');
    expect(kindOf(between('CrashLoopBackOff', {}, lacking), policy())).toBe('Excluded');
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: PodView]>([
    ['there is another reason', between('ImagePullBackOff', { deleting: true })],
    ['its main ended too recently', between('ImagePullBackOff', { annotations: { ...podView().annotations, 'sidecar-sweeper.dev/min-age': '2h' } })],
    ['it waits to be restarted with its own image', between('CrashLoopBackOff', {}, { image: 'proxy:1' })],
    ['the no-op image is its own, and it waits to be restarted', between('CrashLoopBackOff', {}, { ranImage: noop, lastExitCode: 1 })],
    ['it has ended', podView({ containers: [container('main', exited()), container('sidecar', exited(), { image: noop, ranImage: noop, lastExitCode: 128 })] })],
  ])('is left alone if %s', (_title, pod) => {
    expect(kindOf(pod)).toBe('Excluded');
  });

  it('is a candidate while another sidecar runs', () => {
    const containers = [...between('ImagePullBackOff').containers, container('logging', running)];
    expect(kindOf(podView({ annotations: withLogging, containers }))).toBe('Candidate');
  });
});
