import { describe, expect, it } from 'vitest';
import { lastEnd, overBounds } from '../../../src/judge/checks.ts';
import { explain } from '../../../src/judge/judge.ts';
import { bounds } from '../../../src/model/bounds.ts';
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
  initContainer,
  minute,
  nativeSidecar,
  now,
  podView,
  restartIn,
  restartNotIn,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

type Kind = Exclusion['kind'];

interface Around {
  readonly facts?: Partial<Facts>;
  readonly policy?: Partial<Policy>;
  readonly at?: number | undefined;
}

function found(kind: Kind, pod: Partial<PodView>, more: Around = {}): readonly Exclusion[] {
  const { facts, policy: policyParts, at } = { at: now, ...more };
  const { checks } = explain(podView(pod), policy(policyParts), at, { ...noFacts, ...facts });
  return checks.flatMap((checked) => (checked.kind === kind ? checked.found : []));
}

/** Whether a check without details finds its reason. */
function finds(kind: Kind, pod: Partial<PodView>, more: Around = {}): boolean {
  const all = found(kind, pod, more);
  if (all.length > 0) expect(all).toEqual([{ kind }]);
  return all.length > 0;
}

const main = container('main', exited());
const sidecar = container('sidecar', running);
const having = (...containers: PodView['containers']) => ({ containers });
const annotated = (more: Readonly<Record<string, string>>): Partial<PodView> => ({
  annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar', ...more },
});
const inNamespace = (namespace: string): Partial<PodView> => ({ ref: { namespace, name: 'p', uid: 'u' } });
const scoped = (scope: Partial<Policy['scope']>) => ({
  policy: { scope: { namespaces: [], labelSelector: undefined, ...scope } },
});

it('a stuck pod passes every check, and each kind has a check', () => {
  const { checks } = explain(podView(), policy(), now, noFacts);
  const kinds = Object.keys(exclusions).filter((kind) => kind !== 'NothingEnded');
  expect(checks.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
  expect(checks.flatMap((each) => each.found)).toEqual([]);
});

it('OwnPod is the pod that the sweeper runs in, by namespace and name', () => {
  const self = { namespace: 'demo', name: 'work-x2k9p' };
  expect(finds('OwnPod', {}, { facts: { self } })).toBe(true);
  expect(finds('OwnPod', {}, { facts: { self: { ...self, name: 'other' } } })).toBe(false);
  expect(finds('OwnPod', {}, { facts: { self: { ...self, namespace: 'other' } } })).toBe(false);
});

it.each(['kube-system', 'kube-public', 'kube-node-lease'])(
  'SystemNamespace is %s, unless it is named',
  (namespace) => {
    expect(finds('SystemNamespace', inNamespace(namespace))).toBe(true);
    expect(finds('SystemNamespace', inNamespace(namespace), scoped({ namespaces: [namespace] }))).toBe(false);
    expect(finds('SystemNamespace', inNamespace(namespace), scoped({ namespaces: ['demo'] }))).toBe(true);
    // `sweep kube-system/work`, or `sweep work` in a context of that namespace.
    const pods = [
      { namespace: 'demo', name: 'work' },
      { namespace, name: 'work' },
    ];
    expect(finds('SystemNamespace', inNamespace(namespace), scoped({ pods }))).toBe(false);
    const others = [{ namespace: 'demo', name: 'work' }];
    expect(finds('SystemNamespace', inNamespace(namespace), scoped({ pods: others }))).toBe(true);
  },
);

it.each(['default', 'kube', 'my-kube-system', 'kube-system-2'])('SystemNamespace is not %s', (namespace) => {
  expect(finds('SystemNamespace', inNamespace(namespace))).toBe(false);
});

describe('an annotation opts out', () => {
  const key = 'sidecar-sweeper.dev/skip';
  const reading = (one: NamespaceReading) => ({ facts: { namespaces: new Map([['demo', one]]) } });
  const ofNamespace = (value: string) => reading({ kind: 'Present', annotations: { [key]: value } });

  it.each(['true', 'True', '1', 't', 'yes', '', 'ture', ' true '])('with %j', (value) => {
    expect(found('OptedOut', annotated({ [key]: value }))).toEqual([{ kind: 'OptedOut', key }]);
  });

  it.each(['false', 'False', 'FALSE', 'f', 'F', '0', ' false '])('but not with %j', (value) => {
    expect(found('OptedOut', annotated({ [key]: value }))).toEqual([]);
  });

  it('all pods of its namespace, even those that would opt in or are named', () => {
    expect(found('NamespaceOptedOut', {}, ofNamespace('true'))).toEqual([{ kind: 'NamespaceOptedOut', key }]);
    expect(found('NamespaceOptedOut', annotated({ [key]: 'false' }), ofNamespace('true'))).toHaveLength(1);
    const named = { ...ofNamespace('true'), ...scoped({ namespaces: ['demo'] }) };
    expect(found('NamespaceOptedOut', {}, named)).toHaveLength(1);
    expect(found('NamespaceOptedOut', {}, ofNamespace('false'))).toEqual([]);
    expect(found('NamespaceOptedOut', inNamespace('other'), ofNamespace('true'))).toEqual([]);
  });

  it('perhaps, if the namespace cannot be read', () => {
    const problem = { kind: 'Forbidden', message: 'no' } as const;
    const expected = [{ kind: 'NamespaceUnreadable', problem: 'no' }];
    expect(found('NamespaceUnreadable', {}, reading({ kind: 'Unreadable', problem }))).toEqual(expected);
    expect(found('NamespaceUnreadable', {}, reading({ kind: 'Gone' }))).toEqual([]);
  });
});

it('NamespaceNotSelected is an excluded namespace, or one that the selector does not select', () => {
  const kind = 'NamespaceNotSelected';
  expect(found(kind, {}, scoped({ excludeNamespaces: ['demo'] }))).toEqual([{ kind, by: 'Exclusion' }]);
  const facts = { selectedNamespaces: new Set(['jobs']) };
  expect(found(kind, {}, { facts })).toEqual([{ kind, by: 'Selector' }]);
  expect(found(kind, inNamespace('jobs'), { facts })).toEqual([]);
});

it('StaticPod is a mirror pod or a pod owned by a Node', () => {
  expect(finds('StaticPod', annotated({ 'kubernetes.io/config.mirror': 'd0e' }))).toBe(true);
  expect(finds('StaticPod', { owner: { group: '', kind: 'Node', name: 'node1', uid: 'n' } })).toBe(true);
});

it('Windows is the operating system of the pod, or of its node if the pod does not say', () => {
  expect(finds('Windows', { os: 'windows' })).toBe(true);
  expect(finds('Windows', { os: 'linux' })).toBe(false);
  const on = (platform: string) => ({ nodes: new Map([['node1', { kind: 'Ready', platform } as const]]) });
  expect(finds('Windows', {}, { facts: on('windows/amd64') })).toBe(true);
  expect(finds('Windows', { node: 'node2' }, { facts: on('windows/amd64') })).toBe(false);
  expect(finds('Windows', {}, { facts: on('linux/amd64') })).toBe(false);
});

it('NodeNotReady is a pod on such a node, or one with NodeLost even if nodes cannot be read', () => {
  const kind = 'NodeNotReady';
  const unready = { kind: 'NotReady', reason: 'NodeStatusUnknown' } as const;
  const facts = { nodes: new Map([['node1', unready]]) };
  expect(found(kind, {}, { facts })).toEqual([{ kind, node: 'node1', reason: 'NodeStatusUnknown' }]);
  expect(found(kind, { reason: 'NodeLost' })).toEqual([{ kind, node: 'node1', reason: 'NodeLost' }]);
  expect(found(kind, { reason: 'Evicted' })).toEqual([]);
  expect(found(kind, { node: 'node2' }, { facts })).toEqual([]);
  expect(found(kind, { node: undefined, reason: 'NodeLost' }, { facts })).toEqual([]);
});

it('BeingDeleted and NotRunning follow from deletionTimestamp and phase', () => {
  expect(finds('BeingDeleted', { deleting: true })).toBe(true);
  for (const phase of ['Pending', 'Succeeded', 'Failed', 'Unknown']) {
    expect(found('NotRunning', { phase })).toStrictEqual([{ kind: 'NotRunning', phase }]);
  }
  const evicted = { phase: 'Failed', reason: 'Evicted' };
  expect(found('NotRunning', evicted)).toEqual([{ kind: 'NotRunning', ...evicted }]);
});

it('NoSidecar excludes NoRunningSidecar, which is one that has ended, waits or is unreported', () => {
  expect(finds('NoSidecar', { annotations: {} })).toBe(true);
  expect(finds('NoRunningSidecar', { annotations: {} })).toBe(false);
  for (const state of [exited(143), waiting(), { kind: 'Unreported' } as const]) {
    expect(finds('NoRunningSidecar', having(main, container('sidecar', state)))).toBe(true);
  }
  expect(finds('NoMain', having(sidecar))).toBe(true);
});

it('RestartsOthers is any rule with another action than Restart, of any container that may end', () => {
  const kind = 'RestartsOthers';
  const all = { ...restartNotIn(0), action: 'RestartAllContainers' };
  const { action } = all;
  const [ofMain, ofSidecar] = ['main', 'sidecar'].map((one) => ({ kind, container: one, action }));
  const rules = (...restartRules: (typeof all)[]) => ({ ...sidecar, restartRules });
  expect(found(kind, having(main, rules(restartIn(1), all)))).toEqual([ofSidecar]);
  const works = container('main', running, { restartRules: [all] });
  expect(found(kind, having(works, rules(all)))).toEqual([ofMain, ofSidecar]);
  // The kubelet ends native sidecars after the last other container, and their rules count as well.
  const nativeSidecars = [nativeSidecar('mesh', { restartRules: [all] })];
  expect(found(kind, { nativeSidecars })).toEqual([{ ...ofMain, container: 'mesh' }]);
  // One that has ended for good ends no more.
  expect(found(kind, having({ ...main, restartRules: [all] }, sidecar))).toEqual([]);
  expect(found(kind, having(container('main', exited(1), { restartRules: [all] }), sidecar))).toEqual([
    ofMain,
  ]);
  expect(found(kind, having(main, rules({ ...restartIn(7), action: '' })))).toMatchObject([{ action: '' }]);
  expect(found(kind, having(main, rules(restartIn(1), restartNotIn(0))))).toEqual([]);
});

it('each main that runs, waits or will restart is a reason, and no sidecar is', () => {
  const waits = [
    container('waits', waiting('PodInitializing')),
    container('unknown', { kind: 'Unreported' }),
  ];
  const mains = [
    container('runs', running),
    ...waits,
    container('again', exited(3)),
    container('done', exited()),
  ];
  const pod: Partial<PodView> = { restartPolicy: 'OnFailure', containers: [...mains, sidecar] };
  expect(found('MainRunning', pod)).toEqual([{ kind: 'MainRunning', container: 'runs' }]);
  expect(found('MainWaiting', pod)).toEqual([
    { kind: 'MainWaiting', container: 'waits', reason: 'PodInitializing' },
    { kind: 'MainWaiting', container: 'unknown', reason: 'no status' },
  ]);
  const expected = [{ kind: 'MainWillRestart', container: 'again', exitCode: 3 }];
  expect(found('MainWillRestart', pod)).toEqual(expected);
  expect(found('NoMain', pod)).toEqual([]);
  for (const state of [running, waiting(), exited(3)]) {
    for (const kind of ['MainRunning', 'MainWaiting', 'MainWillRestart'] as const) {
      const containers = [main, container('sidecar', state)];
      expect(found(kind, { restartPolicy: 'OnFailure', containers })).toEqual([]);
    }
  }
});

describe('the age', () => {
  const ended = (...states: readonly ReturnType<typeof exited>[]): Partial<PodView> => ({
    containers: [...states.map((state, index) => container(`main-${index}`, state)), sidecar],
  });
  const key = 'sidecar-sweeper.dev/min-age';
  const tooYoung = (ageMs: number) => [{ kind: 'TooYoung', ageMs }];

  it('TooYoung: the last main ended less than the threshold ago, to the millisecond', () => {
    const pod = ended(exited(0, now - hour), exited(0, now - 5 * minute + 1));
    expect(found('TooYoung', pod)).toEqual(tooYoung(5 * minute - 1));
    expect(found('TooYoung', ended(exited(0, now - 5 * minute)))).toEqual([]);
    expect(found('TooYoung', ended(exited(0, now)))).toEqual(tooYoung(0));
    expect(found('TooYoung', ended(exited(0, now)), { policy: { minAge: 0 } })).toEqual([]);
  });

  it('the pod’s threshold takes precedence over the policy’s, longer or shorter', () => {
    const pod = ended(exited(0, now - 10 * minute));
    expect(found('TooYoung', { ...pod, ...annotated({ [key]: '1h' }) })).toHaveLength(1);
    const shorter = { ...pod, ...annotated({ [key]: ' 30s ' }) };
    expect(found('TooYoung', shorter, { policy: { minAge: hour } })).toEqual([]);
    expect(found('UnreadableAnnotation', shorter)).toEqual([]);
  });

  it.each(['', 'soon', '5', '-5m', '1e3s', 'NaN'])('UnreadableAnnotation: a threshold of %j', (text) => {
    const pod = annotated({ [key]: text });
    expect(found('UnreadableAnnotation', pod)).toEqual([
      { kind: 'UnreadableAnnotation', key, problem: 'not a duration such as 90s, 5m or 1h30m' },
    ]);
    expect(found('TooYoung', pod)).toEqual([]);
  });

  it.each<readonly [title: string, state: ReturnType<typeof exited>, at: number | undefined]>([
    ['a main ended in the future', exited(0, now + 1), now],
    ['the server’s time is unknown', exited(0, now - hour), undefined],
    ['a main has no finish time', exitedAtUnknownTime(), now],
  ])('AgeUnknown: %s', (_title, state, at) => {
    const pod = ended(exited(0, now - 3 * hour), state);
    expect(finds('AgeUnknown', pod, { at })).toBe(true);
    expect(found('TooYoung', pod, { at })).toEqual([]);
  });

  it('there is no finding while a main has not ended, or if there is none', () => {
    const busy = having(container('done', exitedAtUnknownTime()), container('busy', running), sidecar);
    for (const pod of [busy, having(sidecar)]) {
      expect(found('AgeUnknown', pod)).toEqual([]);
      expect(found('TooYoung', pod)).toEqual([]);
    }
  });

  it('the last end counts, but only if all are known', () => {
    const [early, late] = [{ state: exited(0, now - 3 * hour) }, { state: exited(1, now - hour) }];
    expect(lastEnd([late, early])).toBe(now - hour);
    expect(lastEnd([early, { state: running }])).toBeUndefined();
    expect(lastEnd([early, { state: exitedAtUnknownTime() }])).toBeUndefined();
    expect(lastEnd([])).toBeUndefined();
  });
});

describe('OverBound: a pod has too', () => {
  const many = Array.from({ length: bounds.names + 1 }, (_, index) => `c${index}`);
  const asAllowed = many.slice(1);
  const holding = (names: readonly string[]) => having(...names.map((name) => container(name, running)));
  const inList = (names: readonly string[]) => ({
    annotations: { 'nrmitchi.com/sidecars': names.join(', ') },
  });
  const waitingFor = (names: readonly string[]) =>
    having(
      container('main', exited()),
      container('waiter', running, { env: { KUBEXIT_DEATH_DEPS: names.join() } }),
    );

  it.each<readonly [what: string, pod: (names: readonly string[]) => Partial<PodView>]>([
    ['containers', holding],
    ['names in nrmitchi.com/sidecars', inList],
    ['names in KUBEXIT_DEATH_DEPS', waitingFor],
  ])('many %s, or just not', (what, pod) => {
    expect(overBounds(podView(pod(many)))).toEqual([{ kind: 'OverBound', what, most: 256 }]);
    expect(overBounds(podView(pod(asAllowed)))).toEqual([]);
    const expected = { because: [{ kind: 'OverBound', what }] };
    expect(explain(podView(pod(many)), policy(), now, noFacts).verdict).toMatchObject(expected);
  });

  it.each<readonly [whose: string, pod: (image: string) => Partial<PodView>]>([
    ['a container', (image) => having(container('sidecar', running, { image }))],
    ['a native sidecar', (image) => ({ nativeSidecars: [nativeSidecar('mesh', { image })] })],
    ['an init container', (image) => ({ initContainers: [initContainer('setup', running, image)] })],
  ])('long a name of the image of %s, or just not', (_whose, pod) => {
    const what = 'characters in the image of a container';
    expect(overBounds(podView(pod('i'.repeat(1_025))))).toEqual([{ kind: 'OverBound', what, most: 1_024 }]);
    expect(overBounds(podView(pod('i'.repeat(1_024))))).toEqual([]);
  });

  it('much of several things', () => {
    const what = overBounds(podView({ ...holding(many), ...inList(many), isOverBound: true })).map(
      (one) => one.what,
    );
    expect(what).toEqual(['bytes of texts and lists', 'containers', 'names in nrmitchi.com/sidecars']);
  });
});
