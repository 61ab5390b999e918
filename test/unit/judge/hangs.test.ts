import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import type { Facts } from '../../../src/model/reading.ts';
import type { Hang } from '../../../src/model/verdict.ts';
import { jobView } from '../../builders/job.ts';
import {
  container,
  exited,
  hour,
  initContainer,
  minute,
  nativeSidecar,
  now,
  podView,
  restartIn,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

const nodeReady: Facts = {
  ...noFacts,
  nodes: new Map([['node1', { kind: 'Ready', platform: 'linux/amd64' }]]),
};
const proxyv2 = 'docker.io/istio/proxyv2:1.27.0';
const since = (ago: number) => ({ kind: 'Running', startedAt: now - ago }) as const;

interface Case {
  readonly pod: PodView;
  readonly facts: Facts;
  readonly hang: Hang;
  readonly since: number;
  /** The same but for one condition, which is left alone as before. */
  readonly unless: readonly (readonly [what: string, more: Partial<PodView>, facts?: Facts])[];
}

/** Init containers run, and the mains wait. */
function initializing(more: Partial<PodView>): PodView {
  const containers = [container('main', waiting('PodInitializing'))];
  return podView({ phase: 'Pending', annotations: {}, containers, ...more });
}

const blocked = initContainer('istio-proxy', since(hour), proxyv2);
// biome-ignore format: one row a line
const restartPolicyDropped: Case = {
  pod: initializing({ initContainers: [blocked] }),
  facts: noFacts,
  hang: { kind: 'RestartPolicyDropped', container: 'istio-proxy', profile: 'istio' },
  since: now - hour,
  unless: [
    ['it has run for less than the minimum age', { initContainers: [{ ...blocked, state: since(minute) }] }],
    ['it has ended', { initContainers: [{ ...blocked, state: exited() }] }],
    ['it waits', { initContainers: [{ ...blocked, state: waiting() }] }],
    ['it is unknown since when', { initContainers: [{ ...blocked, state: { kind: 'Running', startedAt: undefined } }] }],
    ['the catalogue does not know it', { initContainers: [{ ...blocked, image: 'setup:1' }] }],
    ["it is the mesh's own init container", { initContainers: [{ ...blocked, name: 'istio-init' }] }],
    ['it may be meant to end, as an agent that only logs in', { initContainers: [initContainer('vault-agent', since(hour), 'hashicorp/vault:1.17')] }],
    ['it depends on its environment what it is, as for kubexit', { initContainers: [initContainer('kubexit', since(hour), 'kubexit:1')] }],
    ['the mains have begun', { phase: 'Running', containers: [container('main', running)] }],
  ],
};

const failing = { started: false, restartCount: 1, startupLimit: 10 * minute };
const deaf = nativeSidecar('mesh', { state: since(hour), ...failing });
// biome-ignore format: one row a line
const startupProbeStopped: Case = {
  pod: initializing({ nativeSidecars: [deaf] }),
  facts: noFacts,
  hang: { kind: 'StartupProbeStopped', container: 'mesh', restartCount: 1 },
  since: now - hour,
  unless: [
    ['the pod may restart its mains', { restartPolicy: 'OnFailure' }],
    ['it was never restarted', { nativeSidecars: [{ ...deaf, restartCount: 0 }] }],
    ['it has no startup probe', { nativeSidecars: [{ ...deaf, startupLimit: undefined }] }],
    ['its probe may still be running', { nativeSidecars: [{ ...deaf, startupLimit: hour - minute + 1 }] }],
    ['it has started', { nativeSidecars: [{ ...deaf, started: true }] }],
    ['it waits to be restarted', { nativeSidecars: [{ ...deaf, state: waiting() }] }],
    ['it began less than the minimum age ago', { nativeSidecars: [{ ...deaf, startupLimit: 0, state: since(2 * minute) }] }],
  ],
};

const probed = nativeSidecar('mesh', { startupLimit: minute });
const crashed = container('main', exited(2, now - 10 * minute));
// biome-ignore format: one row a line
const mainNotRestarted: Case = {
  pod: podView({ restartPolicy: 'OnFailure', annotations: {}, nativeSidecars: [probed], containers: [crashed] }),
  facts: nodeReady,
  hang: { kind: 'MainNotRestarted', container: 'main', exitCode: 2 },
  since: now - 10 * minute,
  unless: [
    ['the longest back-off is not over', { containers: [container('main', exited(2, now - 10 * minute + 1))] }],
    ['the node is not known to be ready', {}, noFacts],
    ['the node is not ready', {}, { ...noFacts, nodes: new Map([['node1', { kind: 'NotReady', reason: 'NodeStatusUnknown' }]]) }],
    ['it has no native sidecar', { nativeSidecars: [] }],
    ['none has a startup probe', { nativeSidecars: [nativeSidecar('mesh')] }],
    ['that one has not passed its probe', { nativeSidecars: [{ ...probed, started: false }] }],
    ['that one does not run', { nativeSidecars: [{ ...probed, state: waiting() }] }],
    ['it is between two runs', { containers: [container('main', waiting())] }],
    ['another container runs, which tells the kubelet that the pod has begun', { containers: [crashed, container('other', running)] }],
    ['it ended for good', { restartPolicy: 'Never' }],
    ['it is unknown when it ended', { containers: [container('main', { ...exited(2), finishedAt: undefined })] }],
  ],
};

const endedProxy = container('istio-proxy', exited(0, now - hour), { image: proxyv2 });
const atWork = container('main', running);
const ofCloudSql = (state = exited(0, now - hour), more = {}) =>
  container('cloud-sql-proxy', state, {
    image: 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14.0',
    ...more,
  });
// biome-ignore format: one row a line
const proxyEndedFirst: Case = {
  pod: podView({ annotations: {}, containers: [atWork, endedProxy] }),
  facts: noFacts,
  hang: { kind: 'ProxyEndedFirst', container: 'istio-proxy', main: 'main' },
  since: now - hour,
  unless: [
    ['it ended less than the minimum age ago', { containers: [atWork, container('istio-proxy', exited(0, now - minute), { image: proxyv2 })] }],
    ['it failed', { containers: [atWork, container('istio-proxy', exited(1), { image: proxyv2 })] }],
    ['it is restarted', { containers: [atWork, { ...endedProxy, restartRules: [restartIn(0)] }] }],
    ['it carries nothing', { containers: [atWork, container('fluent-bit', exited(), { image: 'fluent/fluent-bit:3' })] }],
    ['a main has ended, and may have ended it', { containers: [atWork, container('first', exited()), endedProxy] }],
    ['the main began after it had ended', { containers: [container('main', since(hour - 1)), endedProxy] }],
    ['the main began as it ended', { containers: [container('main', since(hour)), endedProxy] }],
    ['it is unknown when the main began', { containers: [container('main', { kind: 'Running', startedAt: undefined }), endedProxy] }],
    ['another proxy still runs', { containers: [atWork, endedProxy, ofCloudSql(exited(), { state: running })] }],
    ['the main may have asked a database proxy to end', { containers: [atWork, ofCloudSql(exited(), { args: ['--quitquitquit'] })] }],
    ['it counts as a main', { annotations: { 'sidecar-sweeper.dev/main': 'main,istio-proxy' } }],
  ],
};

const mesh = nativeSidecar('mesh');
const ended = container('main', exited());
const withLog = (state: Partial<ReturnType<typeof exited>>, more: Partial<ContainerView> = {}) => ({
  annotations: { 'sidecar-sweeper.dev/sidecars': 'log' },
  containers: [ended, container('log', { ...exited(), ...state }, more)],
});
// biome-ignore format: one row a line
const nativeSidecarRunsOn: Case = {
  pod: podView({ annotations: {}, grace: 2 * hour, nativeSidecars: [mesh], containers: [ended] }),
  facts: nodeReady,
  hang: { kind: 'NativeSidecarRunsOn', container: 'mesh', graceMs: 2 * hour },
  since: now - hour,
  unless: [
    ['the main ended less than the minimum age ago', { containers: [container('main', exited(0, now - minute))] }],
    ['another container runs', { containers: [ended, container('other', running)] }],
    ['the main is restarted', { containers: [{ ...ended, restartRules: [restartIn(0)] }] }],
    ['it is unknown when the main ended', { containers: [container('main', { ...exited(), finishedAt: undefined })] }],
    ['a sidecar ended less than the minimum age ago', withLog({ finishedAt: now - minute })],
    ['a sidecar is restarted', withLog({}, { restartRules: [restartIn(0)] })],
    ['it is unknown when a sidecar ended', withLog({ finishedAt: undefined })],
    ['the native sidecar has ended', { nativeSidecars: [{ ...mesh, state: exited() }] }],
    ['the node is not known to be ready', {}, noFacts],
  ],
};

const starts = [restartPolicyDropped, startupProbeStopped, mainNotRestarted];
const cases: readonly Case[] = [...starts, proxyEndedFirst, nativeSidecarRunsOn];

describe.each(cases.map((one) => [one.hang.kind, one] as const))('%s', (_kind, one) => {
  it('is a verdict of its own, since a time, with what the pod is left alone for', () => {
    const verdict = judge(one.pod, policy(), now, one.facts);
    expect(verdict).toMatchObject({ kind: 'Hanging', hang: one.hang, since: one.since, pod: one.pod });
    expect(verdict).toHaveProperty('because.0.kind');
  });

  it.each(one.unless.map(([what, ...others]) => [what, others] as const))(
    'is not told if %s',
    (_what, [more, facts = one.facts]) => {
      const verdict = judge({ ...one.pod, ...more }, policy(), now, facts);
      expect(verdict.kind === 'Hanging' ? verdict.hang.kind : verdict.kind).not.toBe(one.hang.kind);
      expect(['Excluded', 'Hanging']).toContain(verdict.kind);
    },
  );

  it.each<readonly [what: string, more: Partial<PodView>]>([
    ['its owner wants it left alone', { annotations: { 'sidecar-sweeper.dev/skip': 'true' } }],
    ['its owner wants it left alone for longer', { annotations: { 'sidecar-sweeper.dev/min-age': '3h' } }],
    ['that cannot be read', { annotations: { 'sidecar-sweeper.dev/min-age': 'soon' } }],
    ['it is being deleted', { deleting: true }],
    ['it is in a system namespace', { ref: { namespace: 'kube-system', name: 'p', uid: 'u' } }],
    ['its node is lost', { reason: 'NodeLost' }],
  ])('is not told of a pod if %s', (_what, more) => {
    expect(judge({ ...one.pod, ...more }, policy(), now, one.facts).kind).toBe('Excluded');
  });

  it('is not told if the time is unknown', () => {
    expect(judge(one.pod, policy(), undefined, one.facts).kind).toBe('Excluded');
  });
});

const minAge = 5 * minute;

it.each<readonly [kind: string, hang: Case, more: Partial<PodView>]>([
  ['RestartPolicyDropped', restartPolicyDropped, { initContainers: [{ ...blocked, state: since(minAge) }] }],
  [
    'ProxyEndedFirst',
    proxyEndedFirst,
    { containers: [atWork, { ...endedProxy, state: exited(0, now - minAge) }] },
  ],
  ['NativeSidecarRunsOn', nativeSidecarRunsOn, withLog({ finishedAt: now - minAge })],
])('%s is told once it has lasted for the minimum age', (_kind, { pod, facts, hang }, more) => {
  const expected = { kind: 'Hanging', hang, since: now - minAge };
  expect(judge({ ...pod, ...more }, policy({ minAge }), now, facts)).toMatchObject(expected);
});

it('a restartPolicy is known to be dropped if the template of the Job has it, whatever the container is', () => {
  const pod = initializing({ initContainers: [initContainer('log', since(hour), 'log:1')] });
  const facts = {
    ...noFacts,
    templates: new Map([[pod.owner?.uid ?? '', jobView({ nativeSidecars: ['log'] })]]),
  };
  const hang = { kind: 'RestartPolicyDropped', container: 'log', job: 'work' };
  expect(judge(pod, policy(), now, facts)).toMatchObject({ kind: 'Hanging', hang });
  expect(judge(pod, policy(), now, noFacts).kind).toBe('Excluded');
});

it('a database proxy that ended by itself, and the last of several proxies, are told', () => {
  const containers = [atWork, { ...endedProxy, state: exited(0, now - hour - 1) }, ofCloudSql()];
  const expected = { hang: { container: 'cloud-sql-proxy' }, since: now - hour };
  expect(judge({ ...proxyEndedFirst.pod, containers }, policy(), now, noFacts)).toMatchObject(expected);
});

it('nothing that hangs is stuck on a sidecar as well', () => {
  for (const { pod, facts } of cases) {
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'none' };
    expect(judge({ ...pod, annotations }, policy({ minAge: 0 }), now, facts).kind).not.toBe('Candidate');
  }
});
