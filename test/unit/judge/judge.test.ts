import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Exclusion } from '../../../src/vocabulary/exclusion.ts';
import type { PodView } from '../../../src/vocabulary/pod.ts';
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
    ['if its main container exited 0 an hour ago and its sidecar is running', podView()],
    [
      'under Never with any exit code of its main container',
      podView({ containers: [container('main', exited(7)), sidecar] }),
    ],
    ['under OnFailure if its main container exited 0', podView({ restartPolicy: 'OnFailure' })],
    [
      'if its main container was OOM-killed',
      podView({ containers: [container('main', { ...exited(137), reason: 'OOMKilled' }), sidecar] }),
    ],
    [
      'if all of several main containers have ended',
      podView({ containers: [container('a', exited()), container('b', exited(1)), sidecar] }),
    ],
    [
      'if one of two sidecars has already ended',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
        containers: [container('main', exited()), container('logging', exited()), sidecar],
      }),
    ],
    [
      'if one of two sidecars is waiting and the other is running',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
        containers: [container('main', exited()), container('logging', waiting()), sidecar],
      }),
    ],
    [
      'under OnFailure if the main container’s own policy is Never and it failed',
      podView({
        restartPolicy: 'OnFailure',
        containers: [container('main', exited(1), { restartPolicy: 'Never' }), sidecar],
      }),
    ],
    ['without an owner', podView({ owner: undefined })],
    [
      'if a rule restarts only its sidecar',
      podView({
        containers: [container('main', exited()), { ...sidecar, restartRules: [restartNotIn(0)] }],
      }),
    ],
  ])('%s', (_title, pod) => {
    expect(judge(pod, policy(), now, noFacts)).toMatchObject({ kind: 'Candidate', pod });
  });

  it('from the exact millisecond of the age threshold', () => {
    const pod = podView({ containers: [container('main', exited(0, now - 5 * minute)), sidecar] });
    expect(judge(pod, policy({ minAge: 5 * minute }), now, noFacts).kind).toBe('Candidate');
    expect(judge(pod, policy({ minAge: 5 * minute + 1 }), now, noFacts)).toEqual({
      kind: 'Excluded',
      pod,
      because: [{ kind: 'TooYoung', ageMs: 5 * minute }],
      remarks: [],
    });
  });

  it('since the end of its last main container, not of the first', () => {
    const mains = [container('first', exited(0, now - 3 * hour)), container('last', exited(0, now - hour))];
    const verdict = judge(podView({ containers: [...mains, sidecar] }), policy(), now, noFacts);
    expect(verdict).toMatchObject({ kind: 'Candidate', mainsEndedAt: now - hour });
  });
});

describe('a pod is left alone', () => {
  it.each<readonly [title: string, pod: PodView, because: readonly Exclusion[]]>([
    ['if it has ended', podView({ phase: 'Succeeded' }), [{ kind: 'NotRunning', phase: 'Succeeded' }]],
    ['if it is pending', podView({ phase: 'Pending' }), [{ kind: 'NotRunning', phase: 'Pending' }]],
    ['if it is being deleted', podView({ deleting: true }), [{ kind: 'BeingDeleted' }]],
    [
      'if there is no evidence of a sidecar',
      podView({ annotations: {} }),
      [{ kind: 'NoSidecar' }, { kind: 'MainRunning', container: 'sidecar' }],
    ],
    [
      'if all its containers are sidecars',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'main,sidecar' },
      }),
      [{ kind: 'NoMain' }],
    ],
    [
      'if its sidecar has ended, too',
      podView({ containers: [container('main', exited()), container('sidecar', exited(143))] }),
      [{ kind: 'NoRunningSidecar' }],
    ],
    [
      'if its sidecar is waiting',
      podView({
        containers: [container('main', exited()), container('sidecar', waiting('CrashLoopBackOff'))],
      }),
      [{ kind: 'NoRunningSidecar' }],
    ],
    [
      'if its main container is waiting',
      podView({ containers: [container('main', waiting('CrashLoopBackOff')), sidecar] }),
      [{ kind: 'MainWaiting', container: 'main', reason: 'CrashLoopBackOff' }],
    ],
    [
      'if the state of its main container is unknown',
      podView({ containers: [container('main', { kind: 'Unreported' }), sidecar] }),
      [{ kind: 'MainWaiting', container: 'main', reason: 'no status' }],
    ],
    [
      'under OnFailure between two runs of a failing main container',
      podView({ restartPolicy: 'OnFailure', containers: [container('main', exited(7)), sidecar] }),
      [{ kind: 'MainWillRestart', container: 'main', exitCode: 7 }],
    ],
    [
      'under Always even if its main container exited 0',
      podView({ restartPolicy: 'Always' }),
      [{ kind: 'MainWillRestart', container: 'main', exitCode: 0 }],
    ],
    [
      'under Never if a rule restarts its main container',
      podView({
        containers: [container('main', exited(42), { restartRules: [restartIn(42)] }), sidecar],
      }),
      [{ kind: 'MainWillRestart', container: 'main', exitCode: 42 }],
    ],
    [
      'if its main container has no finish time',
      podView({ containers: [container('main', exitedAtUnknownTime()), sidecar] }),
      [{ kind: 'AgeUnknown' }],
    ],
    [
      'if its main container ended in the future because the node’s clock is ahead',
      podView({ containers: [container('main', exited(0, now + hour)), sidecar] }),
      [{ kind: 'AgeUnknown' }],
    ],
    [
      'if its main container has just ended',
      podView({ containers: [container('main', exited(0, now - 1000)), sidecar] }),
      [{ kind: 'TooYoung', ageMs: 1000 }],
    ],
  ])('%s', (_title, pod, because) => {
    expect(judge(pod, policy(), now, noFacts)).toEqual({ kind: 'Excluded', pod, because, remarks: [] });
  });

  const restartsAll = { ...restartNotIn(0), action: 'RestartAllContainers' };
  it.each<readonly [title: string, containers: PodView['containers'], because: readonly Exclusion[]]>([
    [
      'a rule of its sidecar',
      [container('main', exited()), { ...sidecar, restartRules: [restartIn(7), restartsAll] }],
      [{ kind: 'RestartsOthers', container: 'sidecar', action: 'RestartAllContainers' }],
    ],
    [
      'a rule of its main container, which does not match',
      [container('main', exited(), { restartRules: [restartsAll] }), sidecar],
      [{ kind: 'RestartsOthers', container: 'main', action: 'RestartAllContainers' }],
    ],
    [
      'rules of its sidecar and its main container',
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
      'a rule of its sidecar with an unknown action',
      [container('main', exited()), { ...sidecar, restartRules: [{ ...restartIn(7), action: '' }] }],
      [{ kind: 'RestartsOthers', container: 'sidecar', action: '' }],
    ],
  ])('if a restart rule restarts other containers: %s', (_title, containers, because) => {
    const pod = podView({ containers });
    expect(judge(pod, policy(), now, noFacts)).toEqual({ kind: 'Excluded', pod, because, remarks: [] });
  });

  it('if one of two main containers is still running', () => {
    const mains = [container('done', exited()), container('busy', running)];
    const verdict = judge(podView({ containers: [...mains, sidecar] }), policy(), now, noFacts);
    expect(verdict).toMatchObject({
      kind: 'Excluded',
      because: [{ kind: 'MainRunning', container: 'busy' }],
    });
  });

  it('if the server’s time is unknown', () => {
    expect(judge(podView(), policy(), undefined, noFacts)).toMatchObject({
      kind: 'Excluded',
      because: [{ kind: 'AgeUnknown' }],
    });
  });

  it('with every reason, not only the first', () => {
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

describe('a pod never started', () => {
  const scope = { namespaces: [], labelSelector: undefined, includePending: true };
  const unstarted = {
    phase: 'Pending',
    containers: [container('main', exited()), container('sidecar', waiting())],
  };

  it('if it is Pending, its main containers have ended, and a sidecar is waiting', () => {
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

  it('even if another sidecar is running', () => {
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' };
    const containers = [...unstarted.containers, container('logging', running)];
    expect(
      judge(podView({ ...unstarted, annotations, containers }), policy({ scope }), now, noFacts).kind,
    ).toBe('NeverStarted');
  });

  it.each<readonly [title: string, pod: Partial<PodView>, kinds: readonly string[]]>([
    ['it has another phase', { phase: 'Unknown' }, ['NotRunning', 'NoRunningSidecar']],
    ['it is running', { phase: 'Running' }, ['NoRunningSidecar']],
    [
      'none of its sidecars is waiting',
      { containers: [container('main', exited()), container('sidecar', exited())] },
      ['NotRunning', 'NoRunningSidecar'],
    ],
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
  expect(judge(pod, policy(), now, noFacts)).toEqual({
    kind: 'Undecided',
    pod,
    problem: 'container main has no status; a status names other',
  });
});

it('an error is the verdict on its own pod, and says where it came from', () => {
  const pod = Object.defineProperty(podView(), 'annotations', {
    get() {
      throw new Error('out of paper');
    },
  });
  expect(judge(pod, policy(), now, noFacts)).toEqual({
    kind: 'Undecided',
    pod,
    problem: 'internal error: Error: out of paper',
    stack: expect.stringContaining('judge.test.ts'),
  });
});
