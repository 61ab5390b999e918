import { describe, expect, it } from 'vitest';
import { lastEnd } from '../../../src/judge/checks.ts';
import { explain } from '../../../src/judge/judge.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Facts, NamespaceReading } from '../../../src/model/reading.ts';
import type { Exclusion } from '../../../src/model/verdict.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { exclusions } from '../../builders/kinds.ts';
import {
  container,
  exited,
  exitedAtUnknownTime,
  hour,
  minute,
  now,
  podView,
  restartIn,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

type Kind = Exclusion['kind'];

/** The findings of one check on a stuck pod with these changes. */
function found(
  kind: Kind,
  pod: Partial<PodView>,
  more: { facts?: Partial<Facts>; policy?: Partial<Policy>; at?: number | undefined } = {},
): readonly Exclusion[] {
  const { facts, policy: policyParts, at } = { at: now, ...more };
  const { checks } = explain(podView(pod), policy(policyParts), at, { ...noFacts, ...facts });
  return checks.flatMap((checked) => (checked.kind === kind ? checked.found : []));
}

const sidecar = container('sidecar', running);
const annotated = (more: Record<string, string>): Partial<PodView> => ({
  annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar', ...more },
});
const inNamespace = (namespace: string): Partial<PodView> => ({ ref: { namespace, name: 'p', uid: 'u' } });

it('every reason has one check, and a stuck pod passes all of them', () => {
  const checked = explain(podView(), policy(), now, noFacts).checks;
  // What is at work is left out as it is listed.
  const kinds = Object.keys(exclusions).filter((kind) => kind !== 'NothingEnded');
  expect(checked.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
  expect(checked.flatMap((each) => each.found)).toEqual([]);
});

describe('OwnPod', () => {
  const self = { namespace: 'demo', name: 'work-x2k9p' };
  it('is the pod that the sweeper runs in, by namespace and name', () => {
    expect(found('OwnPod', {}, { facts: { self } })).toEqual([{ kind: 'OwnPod' }]);
    expect(found('OwnPod', {}, { facts: { self: { ...self, name: 'other' } } })).toEqual([]);
    expect(found('OwnPod', {}, { facts: { self: { ...self, namespace: 'other' } } })).toEqual([]);
    expect(found('OwnPod', {})).toEqual([]);
  });
});

describe('SystemNamespace', () => {
  it.each(['kube-system', 'kube-public', 'kube-node-lease'])(
    'is %s, unless it is named explicitly',
    (namespace) => {
      const scope = { namespaces: [namespace], labelSelector: undefined };
      expect(found('SystemNamespace', inNamespace(namespace))).toEqual([{ kind: 'SystemNamespace' }]);
      expect(found('SystemNamespace', inNamespace(namespace), { policy: { scope } })).toEqual([]);
    },
  );

  it.each(['default', 'kube', 'my-kube-system', 'kube-system-2'])('is not %s', (namespace) => {
    expect(found('SystemNamespace', inNamespace(namespace))).toEqual([]);
  });

  it('is not allowed by naming another one', () => {
    const scope = { namespaces: ['kube-public'], labelSelector: undefined };
    expect(found('SystemNamespace', inNamespace('kube-system'), { policy: { scope } })).toHaveLength(1);
  });
});

describe('OptedOut', () => {
  const key = 'sidecar-sweeper.dev/skip';
  it.each(['true', 'True', '1', 't', 'yes', '', 'ture', ' true '])(
    'is a pod with the skip annotation %j',
    (value) => {
      expect(found('OptedOut', annotated({ [key]: value }))).toEqual([{ kind: 'OptedOut', key }]);
    },
  );

  it.each(['false', 'False', 'FALSE', 'f', 'F', '0', ' false '])(
    'is not a pod with the skip annotation %j',
    (value) => {
      expect(found('OptedOut', annotated({ [key]: value }))).toEqual([]);
    },
  );
});

describe('NamespaceOptedOut and NamespaceUnreadable', () => {
  const key = 'sidecar-sweeper.dev/skip';
  const reading = (value: NamespaceReading) => ({ facts: { namespaces: new Map([['demo', value]]) } });
  const said = (value: string) => reading({ kind: 'Present', annotations: { [key]: value } });

  it('are what the annotation of the namespace says, also to a pod that would opt in', () => {
    expect(found('NamespaceOptedOut', {}, said('true'))).toEqual([{ kind: 'NamespaceOptedOut', key }]);
    expect(found('NamespaceOptedOut', annotated({ [key]: 'false' }), said('true'))).toHaveLength(1);
    expect(found('NamespaceOptedOut', {}, said('false'))).toEqual([]);
    expect(found('NamespaceOptedOut', inNamespace('other'), said('true'))).toEqual([]);
  });

  it('are not overridden by naming the namespace', () => {
    const scope = { namespaces: ['demo'], labelSelector: undefined };
    expect(found('NamespaceOptedOut', {}, { ...said('true'), policy: { scope } })).toHaveLength(1);
  });

  it('leave a pod alone whose namespace cannot be read', () => {
    const problem = { kind: 'Forbidden', message: 'no' } as const;
    expect(found('NamespaceUnreadable', {}, reading({ kind: 'Unreadable', problem }))).toEqual([
      { kind: 'NamespaceUnreadable', problem: 'no' },
    ]);
    expect(found('NamespaceUnreadable', {}, reading({ kind: 'Gone' }))).toEqual([]);
  });
});

describe('NamespaceNotSelected', () => {
  const scope = { namespaces: [], labelSelector: undefined, excludeNamespaces: ['demo'] };

  it('is an excluded namespace, or one that the selector does not select', () => {
    const by = (kind: 'Exclusion' | 'Selector') => [{ kind: 'NamespaceNotSelected', by: kind }];
    expect(found('NamespaceNotSelected', {}, { policy: { scope } })).toEqual(by('Exclusion'));
    const facts = { selectedNamespaces: new Set(['jobs']) };
    expect(found('NamespaceNotSelected', {}, { facts })).toEqual(by('Selector'));
    expect(found('NamespaceNotSelected', inNamespace('jobs'), { facts })).toEqual([]);
  });
});

describe('StaticPod', () => {
  it('is a mirror pod or a pod owned by a Node', () => {
    expect(found('StaticPod', annotated({ 'kubernetes.io/config.mirror': 'd0e' }))).toEqual([
      { kind: 'StaticPod' },
    ]);
    expect(found('StaticPod', { owner: { group: '', kind: 'Node', name: 'node1', uid: 'n' } })).toEqual([
      { kind: 'StaticPod' },
    ]);
    expect(found('StaticPod', {})).toEqual([]);
  });
});

describe('Windows', () => {
  it.each([
    ['windows', [{ kind: 'Windows' }]],
    ['linux', []],
    [undefined, []],
  ] as const)('depends on the operating system: %s', (os, expected) => {
    expect(found('Windows', { os })).toEqual(expected);
  });

  it.each([
    ['windows/amd64', [{ kind: 'Windows' }]],
    ['linux/amd64', []],
  ] as const)('or on that of its node, if the pod does not say: %s', (platform, expected) => {
    const facts = { platforms: new Map([['node1', platform]]) };
    expect(found('Windows', {}, { facts })).toEqual(expected);
    expect(found('Windows', { node: 'node2' }, { facts })).toEqual([]);
  });
});

describe('NodeNotReady', () => {
  const unreadyNodes = new Map([['node1', 'NodeStatusUnknown']]);
  it('is a pod on an unready node, with the node’s reason', () => {
    expect(found('NodeNotReady', {}, { facts: { unreadyNodes } })).toEqual([
      { kind: 'NodeNotReady', node: 'node1', reason: 'NodeStatusUnknown' },
    ]);
  });

  it('is a pod with NodeLost, even if nodes cannot be read', () => {
    expect(found('NodeNotReady', { reason: 'NodeLost' })).toEqual([
      { kind: 'NodeNotReady', node: 'node1', reason: 'NodeLost' },
    ]);
    expect(found('NodeNotReady', { reason: 'Evicted' })).toEqual([]);
  });

  it('is not a pod on another node or without a node', () => {
    expect(found('NodeNotReady', { node: 'node2' }, { facts: { unreadyNodes } })).toEqual([]);
    expect(
      found('NodeNotReady', { node: undefined, reason: 'NodeLost' }, { facts: { unreadyNodes } }),
    ).toEqual([]);
  });
});

describe('BeingDeleted and NotRunning', () => {
  it('follow from deletionTimestamp and phase', () => {
    expect(found('BeingDeleted', { deleting: true })).toEqual([{ kind: 'BeingDeleted' }]);
    for (const phase of ['Pending', 'Succeeded', 'Failed', 'Unknown']) {
      expect(found('NotRunning', { phase })).toEqual([{ kind: 'NotRunning', phase }]);
    }
    const evicted = { phase: 'Failed', reason: 'Evicted' };
    expect(found('NotRunning', evicted)).toEqual([{ kind: 'NotRunning', ...evicted }]);
  });
});

describe('sidecars', () => {
  it('NoSidecar: no sidecar is known, and NoRunningSidecar does not apply', () => {
    expect(found('NoSidecar', { annotations: {} })).toEqual([{ kind: 'NoSidecar' }]);
    expect(found('NoRunningSidecar', { annotations: {} })).toEqual([]);
  });

  it.each([
    ['has ended', exited(143)],
    ['is waiting', waiting()],
    ['has an unknown state', { kind: 'Unreported' } as const],
  ])('NoRunningSidecar: the only sidecar %s', (_title, state) => {
    expect(
      found('NoRunningSidecar', { containers: [container('main', exited()), container('sidecar', state)] }),
    ).toEqual([{ kind: 'NoRunningSidecar' }]);
  });

  it('RestartsOthers: a single rule of a single container is enough', () => {
    const rule = { ...restartIn(7), action: 'RestartAllContainers' };
    const containers = [container('main', exited()), { ...sidecar, restartRules: [restartIn(1), rule] }];
    expect(found('RestartsOthers', { containers })).toEqual([
      { kind: 'RestartsOthers', container: 'sidecar', action: 'RestartAllContainers' },
    ]);
    expect(
      found('RestartsOthers', {
        containers: [container('main', exited()), { ...sidecar, restartRules: [restartIn(1)] }],
      }),
    ).toEqual([]);
  });
});

describe('main containers', () => {
  const mains = [
    container('runs', running),
    container('waits', waiting('PodInitializing')),
    container('unknown', { kind: 'Unreported' }),
    container('again', exited(3)),
    container('done', exited(0)),
    sidecar,
  ];
  const pod: Partial<PodView> = { restartPolicy: 'OnFailure', containers: mains };

  it('each has its own reason', () => {
    expect(found('MainRunning', pod)).toEqual([{ kind: 'MainRunning', container: 'runs' }]);
    expect(found('MainWaiting', pod)).toEqual([
      { kind: 'MainWaiting', container: 'waits', reason: 'PodInitializing' },
      { kind: 'MainWaiting', container: 'unknown', reason: 'no status' },
    ]);
    expect(found('MainWillRestart', pod)).toEqual([
      { kind: 'MainWillRestart', container: 'again', exitCode: 3 },
    ]);
    expect(found('NoMain', pod)).toEqual([]);
  });

  it('NoMain: every container is a sidecar', () => {
    expect(found('NoMain', { containers: [sidecar] })).toEqual([{ kind: 'NoMain' }]);
  });

  it('a waiting, running or restarting sidecar does not count as a main container', () => {
    for (const state of [running, waiting(), exited(3)]) {
      const containers = [container('main', exited()), container('sidecar', state)];
      for (const kind of ['MainRunning', 'MainWaiting', 'MainWillRestart'] as const) {
        expect(found(kind, { restartPolicy: 'OnFailure', containers })).toEqual([]);
      }
    }
  });
});

describe('the age', () => {
  const ended = (...states: readonly ReturnType<typeof exited>[]): Partial<PodView> => ({
    containers: [...states.map((state, index) => container(`main-${index}`, state)), sidecar],
  });
  const minAgeKey = 'sidecar-sweeper.dev/min-age';

  it('TooYoung: the last main container ended less than the threshold ago, to the millisecond', () => {
    const pod = ended(exited(0, now - hour), exited(0, now - 5 * minute + 1));
    expect(found('TooYoung', pod)).toEqual([{ kind: 'TooYoung', ageMs: 5 * minute - 1 }]);
    expect(found('TooYoung', ended(exited(0, now - 5 * minute)))).toEqual([]);
    expect(found('TooYoung', ended(exited(0, now)))).toEqual([{ kind: 'TooYoung', ageMs: 0 }]);
    expect(found('TooYoung', ended(exited(0, now)), { policy: { minAge: 0 } })).toEqual([]);
  });

  it('the pod’s threshold takes precedence over the policy’s, longer or shorter', () => {
    const pod = ended(exited(0, now - 10 * minute));
    expect(found('TooYoung', { ...pod, ...annotated({ [minAgeKey]: '1h' }) })).toHaveLength(1);
    expect(
      found('TooYoung', { ...pod, ...annotated({ [minAgeKey]: ' 30s ' }) }, { policy: { minAge: hour } }),
    ).toEqual([]);
  });

  it.each(['', 'soon', '5', '-5m', '1e3s', 'NaN'])(
    'UnreadableAnnotation: a threshold of %j is invalid',
    (text) => {
      const pod = annotated({ [minAgeKey]: text });
      expect(found('UnreadableAnnotation', pod)).toEqual([
        { kind: 'UnreadableAnnotation', key: minAgeKey, problem: 'not a duration such as 90s, 5m or 1h30m' },
      ]);
      expect(found('TooYoung', pod)).toEqual([]);
    },
  );

  it.each<readonly [title: string, finishedAt: number, at: number | undefined]>([
    ['a main container ended in the future', now + 1, now],
    ['the server’s time is unknown', now - hour, undefined],
  ])('AgeUnknown: %s', (_title, finishedAt, at) => {
    const pod = ended(exited(0, now - 3 * hour), exited(0, finishedAt));
    expect(found('AgeUnknown', pod, { at })).toEqual([{ kind: 'AgeUnknown' }]);
    expect(found('TooYoung', pod, { at })).toEqual([]);
  });

  it('AgeUnknown: one of two main containers has no finish time', () => {
    expect(found('AgeUnknown', ended(exited(0, now - hour), exitedAtUnknownTime()))).toEqual([
      { kind: 'AgeUnknown' },
    ]);
  });

  it('there is no finding while a main container has not ended, or if there is none', () => {
    const containers = [container('done', exitedAtUnknownTime()), container('busy', running), sidecar];
    for (const pod of [{ containers }, { containers: [sidecar] }]) {
      expect(found('AgeUnknown', pod)).toEqual([]);
      expect(found('TooYoung', pod)).toEqual([]);
    }
  });
});

it('the last end counts, but only if all are known', () => {
  const early = { state: exited(0, now - 3 * hour) };
  const late = { state: exited(1, now - hour) };
  expect(lastEnd([late, early])).toBe(now - hour);
  expect(lastEnd([early, { state: running }])).toBeUndefined();
  expect(lastEnd([early, { state: exitedAtUnknownTime() }])).toBeUndefined();
  expect(lastEnd([])).toBeUndefined();
});
