import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Exclusion, PodView } from '../../../src/vocabulary.ts';
import {
  container,
  exited,
  exitedAtUnknownTime,
  hour,
  minute,
  now,
  podView,
  restartIn,
  restartNotIn,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

const sidecar = container('sidecar', running);

describe('a pod is a candidate', () => {
  it.each<readonly [title: string, pod: PodView]>([
    ['when its main exited 0 an hour ago and its sidecar runs', podView()],
    [
      'under Never whatever the exit code of its main',
      podView({ containers: [container('main', exited(7)), sidecar] }),
    ],
    ['under OnFailure when its main exited 0', podView({ restartPolicy: 'OnFailure' })],
    [
      'when its main was killed for its memory',
      podView({ containers: [container('main', { ...exited(137), reason: 'OOMKilled' }), sidecar] }),
    ],
    [
      'when all of several mains have ended',
      podView({ containers: [container('a', exited()), container('b', exited(1)), sidecar] }),
    ],
    [
      'when one of two sidecars has ended already',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
        containers: [container('main', exited()), container('logging', exited()), sidecar],
      }),
    ],
    [
      'when one of two sidecars waits and the other runs',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
        containers: [container('main', exited()), container('logging', waiting()), sidecar],
      }),
    ],
    [
      'under OnFailure when the main’s own policy is Never and it failed',
      podView({
        restartPolicy: 'OnFailure',
        containers: [container('main', exited(1), { restartPolicy: 'Never' }), sidecar],
      }),
    ],
    ['without an owner', podView({ owner: undefined })],
    [
      'when a rule starts its sidecar again, and nothing else',
      podView({
        containers: [container('main', exited()), { ...sidecar, restartRules: [restartNotIn(0)] }],
      }),
    ],
  ])('%s', (_title, pod) => {
    expect(judge(pod, policy(), now, noFacts)).toMatchObject({ kind: 'Candidate', pod });
  });

  it('exactly when the age threshold is reached, not a millisecond before', () => {
    const pod = podView({ containers: [container('main', exited(0, now - 5 * minute)), sidecar] });
    expect(judge(pod, policy({ minAge: 5 * minute }), now, noFacts).kind).toBe('Candidate');
    expect(judge(pod, policy({ minAge: 5 * minute + 1 }), now, noFacts)).toEqual({
      kind: 'Excluded',
      pod,
      because: [{ kind: 'TooYoung', ageMs: 5 * minute }],
      remarks: [],
    });
  });

  it('since its last main ended, not since the first', () => {
    const mains = [container('first', exited(0, now - 3 * hour)), container('last', exited(0, now - hour))];
    const verdict = judge(podView({ containers: [...mains, sidecar] }), policy(), now, noFacts);
    expect(verdict).toMatchObject({ kind: 'Candidate', mainsEndedAt: now - hour });
  });
});

describe('a pod is left alone', () => {
  it.each<readonly [title: string, pod: PodView, because: readonly Exclusion[]]>([
    ['when it has ended', podView({ phase: 'Succeeded' }), [{ kind: 'NotRunning', phase: 'Succeeded' }]],
    ['when it is pending', podView({ phase: 'Pending' }), [{ kind: 'NotRunning', phase: 'Pending' }]],
    ['when it is being deleted', podView({ deleting: true }), [{ kind: 'BeingDeleted' }]],
    [
      'when nothing says sidecar',
      podView({ annotations: {} }),
      [{ kind: 'NoSidecar' }, { kind: 'MainRunning', container: 'sidecar' }],
    ],
    [
      'when all its containers are sidecars',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'main,sidecar' },
      }),
      [{ kind: 'NoMain' }],
    ],
    [
      'when its sidecar has ended as well',
      podView({ containers: [container('main', exited()), container('sidecar', exited(143))] }),
      [{ kind: 'NoRunningSidecar' }],
    ],
    [
      'when its sidecar only waits',
      podView({
        containers: [container('main', exited()), container('sidecar', waiting('ImagePullBackOff'))],
      }),
      [{ kind: 'NoRunningSidecar' }],
    ],
    [
      'when its main waits',
      podView({ containers: [container('main', waiting('CrashLoopBackOff')), sidecar] }),
      [{ kind: 'MainWaiting', container: 'main', reason: 'CrashLoopBackOff' }],
    ],
    [
      'when nothing is known of its main’s state',
      podView({ containers: [container('main', { kind: 'Unreported' }), sidecar] }),
      [{ kind: 'MainWaiting', container: 'main', reason: 'no status' }],
    ],
    [
      'under OnFailure between two runs of a failing main',
      podView({ restartPolicy: 'OnFailure', containers: [container('main', exited(7)), sidecar] }),
      [{ kind: 'MainWillRestart', container: 'main', exitCode: 7 }],
    ],
    [
      'under Always even when its main exited 0',
      podView({ restartPolicy: 'Always' }),
      [{ kind: 'MainWillRestart', container: 'main', exitCode: 0 }],
    ],
    [
      'under Never when a rule of its main brings it back',
      podView({
        containers: [container('main', exited(42), { restartRules: [restartIn(42)] }), sidecar],
      }),
      [{ kind: 'MainWillRestart', container: 'main', exitCode: 42 }],
    ],
    [
      'when its main does not say when it ended',
      podView({ containers: [container('main', exitedAtUnknownTime()), sidecar] }),
      [{ kind: 'AgeUnknown' }],
    ],
    [
      'when its main ended in the future, by a node’s clock that is ahead',
      podView({ containers: [container('main', exited(0, now + hour)), sidecar] }),
      [{ kind: 'AgeUnknown' }],
    ],
    [
      'when its main ended just now',
      podView({ containers: [container('main', exited(0, now - 1000)), sidecar] }),
      [{ kind: 'TooYoung', ageMs: 1000 }],
    ],
  ])('%s', (_title, pod, because) => {
    expect(judge(pod, policy(), now, noFacts)).toEqual({ kind: 'Excluded', pod, because, remarks: [] });
  });

  const restartsAll = { ...restartNotIn(0), action: 'RestartAllContainers' };
  it.each<readonly [title: string, containers: PodView['containers'], because: readonly Exclusion[]]>([
    [
      'its sidecar’s',
      [container('main', exited()), { ...sidecar, restartRules: [restartIn(7), restartsAll] }],
      [{ kind: 'RestartsOthers', container: 'sidecar', action: 'RestartAllContainers' }],
    ],
    [
      'its main’s, which does not match',
      [container('main', exited(), { restartRules: [restartsAll] }), sidecar],
      [{ kind: 'RestartsOthers', container: 'main', action: 'RestartAllContainers' }],
    ],
    [
      'its sidecar’s and its main’s',
      [
        container('main', exited(7), { restartRules: [restartsAll] }),
        { ...sidecar, restartRules: [restartsAll] },
      ],
      [
        { kind: 'RestartsOthers', container: 'main', action: 'RestartAllContainers' },
        { kind: 'RestartsOthers', container: 'sidecar', action: 'RestartAllContainers' },
        { kind: 'MainWillRestart', container: 'main', exitCode: 7 },
      ],
    ],
    [
      'its sidecar’s, of which nobody knows what it does',
      [container('main', exited()), { ...sidecar, restartRules: [{ ...restartIn(7), action: '' }] }],
      [{ kind: 'RestartsOthers', container: 'sidecar', action: '' }],
    ],
  ])('when a restart rule starts others again: %s', (_title, containers, because) => {
    const pod = podView({ containers });
    expect(judge(pod, policy(), now, noFacts)).toEqual({ kind: 'Excluded', pod, because, remarks: [] });
  });

  it('when one of two mains still runs', () => {
    const mains = [container('done', exited()), container('busy', running)];
    const verdict = judge(podView({ containers: [...mains, sidecar] }), policy(), now, noFacts);
    expect(verdict).toMatchObject({
      kind: 'Excluded',
      because: [{ kind: 'MainRunning', container: 'busy' }],
    });
  });

  it('when the server does not say what time it is', () => {
    expect(judge(podView(), policy(), Number.NaN, noFacts)).toMatchObject({
      kind: 'Excluded',
      because: [{ kind: 'AgeUnknown' }],
    });
  });

  it('for every reason there is, not only the first', () => {
    const pod = podView({
      phase: 'Unknown',
      deleting: true,
      restartPolicy: 'OnFailure',
      containers: [container('main', exited(1, now - 1)), container('sidecar', waiting())],
    });
    const verdict = judge(pod, policy(), now, noFacts);
    expect(verdict.kind === 'Excluded' && verdict.because.map(({ kind }) => kind)).toEqual([
      'BeingDeleted',
      'NotRunning',
      'NoRunningSidecar',
      'MainWillRestart',
      'TooYoung',
    ]);
  });
});

describe('a pod never came to run', () => {
  const scope = { namespaces: [], labelSelector: undefined, includePending: true };
  const unstarted = {
    phase: 'Pending',
    containers: [container('main', exited()), container('sidecar', waiting())],
  };

  it('when it is Pending, its mains have ended, and a sidecar waits', () => {
    const pod = podView(unstarted);
    expect(judge(pod, policy({ scope }), now, noFacts)).toEqual({
      kind: 'NeverStarted',
      pod,
      mains: [expect.objectContaining({ name: 'main', exitCode: 0 })],
      sidecars: [expect.objectContaining({ container: pod.containers[1] })],
      mainsEndedAt: now - hour,
      remarks: [],
    });
  });

  it('also when another of its sidecars runs', () => {
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' };
    const containers = [...unstarted.containers, container('logging', running)];
    expect(
      judge(podView({ ...unstarted, annotations, containers }), policy({ scope }), now, noFacts).kind,
    ).toBe('NeverStarted');
  });

  it.each<readonly [title: string, pod: Partial<PodView>, kinds: readonly string[]]>([
    ['its phase is another', { phase: 'Unknown' }, ['NotRunning', 'NoRunningSidecar']],
    ['it runs', { phase: 'Running' }, ['NoRunningSidecar']],
    [
      'none of its sidecars waits',
      { containers: [container('main', exited()), container('sidecar', exited())] },
      ['NotRunning', 'NoRunningSidecar'],
    ],
    ['there is another reason', { deleting: true }, ['BeingDeleted', 'NotRunning', 'NoRunningSidecar']],
  ])('but not when %s', (_title, more, kinds) => {
    const verdict = judge(podView({ ...unstarted, ...more }), policy({ scope }), now, noFacts);
    expect(verdict.kind === 'Excluded' && verdict.because.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is left alone like any other pod that is Pending, unless such pods are looked for', () => {
    for (const includePending of [false, undefined]) {
      const { includePending: _asked, ...others } = scope;
      const used = policy({ scope: includePending === undefined ? others : { ...scope, includePending } });
      expect(judge(podView(unstarted), used, now, noFacts).kind).toBe('Excluded');
    }
  });
});

it('a pod whose statuses do not fit its spec is not judged at all', () => {
  const pod = podView({ statusProblems: ['container main has no status', 'a status names other'] });
  expect(judge(pod, policy(), now, noFacts)).toEqual({
    kind: 'Undecided',
    pod,
    problem: 'container main has no status; a status names other',
  });
});
