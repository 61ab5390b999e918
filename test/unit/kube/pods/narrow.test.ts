import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import { podGlance } from '../../../../src/kube/pods/message.ts';
import { isAtWork, readPodView } from '../../../../src/kube/pods/narrow.ts';
import { decode } from '../../../../src/kube/pods/protobuf.ts';
import { ownKeys } from '../../../../src/model/annotations.ts';
import { bounds } from '../../../../src/model/bounds.ts';
import type { ArgoView, PodView } from '../../../../src/model/pod.ts';
import { apiContainer, apiPod, apiStatus, narrowed, podBytes, read } from '../../../builders/api-pod.ts';
import { growth, quadratic } from '../../../builders/growth.ts';
import { noFacts, policy } from '../../../builders/policy.ts';

function firstContainer(spec: Record<string, unknown>, status: Record<string, unknown>) {
  const pod = apiPod({
    spec: { containers: [apiContainer('main', spec)] },
    status: { containerStatuses: [apiStatus('main', {}, status)] },
  });
  return narrowed(pod).containers[0];
}

const grants = (terminationGracePeriodSeconds?: number) => ({ spec: { terminationGracePeriodSeconds } });
const is = (type: string, status: string) => ({ status: { conditions: [{ type, status }] } });
const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'u1', controller: true };
const owned = (ownerReferences?: readonly object[]) => ({ metadata: { ownerReferences } });
const restarted = (field: string, ...counts: readonly unknown[]) => {
  const statuses = counts.map((restartCount, index) =>
    apiStatus(`c${index}`, { running: {} }, { restartCount }),
  );
  return { status: { [field]: statuses } };
};
const { status: inits } = restarted('initContainerStatuses', 4, 8);
const { status: debuggers } = restarted('ephemeralContainerStatuses', 16);

// biome-ignore format: one row a line
it.each<readonly [pod: Parameters<typeof apiPod>[0], has: Partial<PodView>]>([
  [{}, { processNamespace: 'Container', deleting: false }],
  [{ spec: { shareProcessNamespace: false, hostPID: false } }, { processNamespace: 'Container' }],
  [{ spec: { shareProcessNamespace: true } }, { processNamespace: 'Pod' }],
  [{ spec: { hostPID: true } }, { processNamespace: 'Node' }],
  // The API server forbids both; hostPID, the more dangerous one, counts.
  [{ spec: { hostPID: true, shareProcessNamespace: true } }, { processNamespace: 'Node' }],
  [grants(undefined), { grace: 30_000 }],
  [grants(0), { grace: 0 }],
  [grants(3_600), { grace: 3_600_000 }],
  [grants(-1), { grace: 0 }],
  // A report could not say so many milliseconds.
  [grants(2 ** 53 - 1), { grace: 2 ** 31 * 1_000 }],
  [{ metadata: { deletionTimestamp: '2026-11-21T03:00:00Z' } }, { deleting: true }],
  [{ metadata: { deletionTimestamp: null } }, { deleting: false }],
  [is('DisruptionTarget', 'True'), { disrupted: true }],
  [is('DisruptionTarget', 'False'), { disrupted: false }],
  [is('Ready', 'True'), { disrupted: false }],
  [{ status: { phase: 'Failed', reason: 'DeadlineExceeded' } }, { disrupted: true }],
  [{ status: { phase: 'Failed' } }, { disrupted: false }],
  [{ status: { phase: 'Running', reason: 'NodeLost' } }, { disrupted: false }],
  [{ status: { conditions: [{ type: 'Ready', status: 'False', reason: 'PodFailed' }] } }, { conditions: [{ type: 'Ready', status: 'False' }] }],
  [{ status: { conditions: [{ type: 'Ready' }, { status: 'True' }, { type: 'a', status: 'Unknown' }] } }, { conditions: [{ type: 'a', status: 'Unknown' }] }],
  [{ status: { conditions: undefined } }, { conditions: [] }],
  // The controller owns it; others are told of.
  [owned(undefined), { owner: undefined, hasOtherOwner: false }],
  [owned([]), { owner: undefined, hasOtherOwner: false }],
  [owned([job]), { hasOtherOwner: false }],
  [owned([{ ...job, controller: false }]), { owner: undefined, hasOtherOwner: true }],
  [owned([job, { ...job, controller: undefined }]), { hasOtherOwner: true }],
  // A Job adds up the restarts of init and regular containers under OnFailure.
  [restarted('containerStatuses', 1, 2), { restarts: 3 }],
  [{ status: { ...inits, ...restarted('containerStatuses', 1, 2).status, ...debuggers } }, { restarts: 15 }],
  [restarted('containerStatuses', undefined), { restarts: 0 }],
  [{ status: { containerStatuses: undefined } }, { restarts: 0 }],
])('a pod with %j has %j', (pod, has) => {
  expect(narrowed(apiPod(pod))).toEqual(expect.objectContaining(has));
});

describe('the state of a container', () => {
  const finishedAt = '2026-11-21T03:00:00Z';
  const at = Date.parse(finishedAt);
  const killed = { exitCode: 137, signal: 9, reason: 'OOMKilled' };
  const waiting = { kind: 'Waiting', reason: 'Waiting' };

  it.each<readonly [title: string, state: unknown, expected: object]>([
    ['running', { running: { startedAt: finishedAt } }, { kind: 'Running', startedAt: at }],
    ['running since an unknown time', { running: {} }, { kind: 'Running', startedAt: undefined }],
    ['waiting', { waiting: { reason: 'CrashLoopBackOff' } }, { kind: 'Waiting', reason: 'CrashLoopBackOff' }],
    ['waiting without a reason', { waiting: {} }, waiting],
    ['empty, which Kubernetes defines as waiting', {}, waiting],
    ['missing', undefined, waiting],
    ['killed', { terminated: { ...killed, finishedAt } }, { kind: 'Terminated', ...killed, finishedAt: at }],
    ['ended with signal 0, which is none', { terminated: { exitCode: 0, signal: 0 } }, { signal: undefined }],
    // A real cluster sets one at most. A main that may be running must not pass for one that has ended.
    ['running and terminated', { running: {}, terminated: { exitCode: 0 } }, { kind: 'Unreported' }],
    ['waiting and terminated', { waiting: {}, terminated: { exitCode: 0 } }, { kind: 'Unreported' }],
    ['waiting and running', { waiting: {}, running: {} }, { kind: 'Unreported' }],
  ])('%s', (_title, state, expected) => {
    expect(firstContainer({}, { state })?.state).toMatchObject(expected);
  });

  it.each([null, undefined, '0001-01-01T00:00:00Z'])('with finishedAt %j has no end time', (finishedAt) => {
    const container = firstContainer({}, { state: { terminated: { exitCode: 0, finishedAt } } });
    expect(container?.state).toMatchObject({ kind: 'Terminated', finishedAt: undefined });
  });
});

describe('the restart rules of a container', () => {
  const rules = (...restartPolicyRules: unknown[]) =>
    firstContainer({ restartPolicy: 'Never', restartPolicyRules }, {})?.restartRules;

  // biome-ignore format: one row a line
  it.each([
    ['of a later Kubernetes version', { action: 'Restart' }, 'Restart'],
    ['with an unknown operator', { action: 'Restart', exitCodes: { operator: 'Between', values: [1] } }, 'Restart'],
    ['without values', { action: 'Restart', exitCodes: { operator: 'In' } }, 'Restart'],
    ['that is empty', {}, ''],
  ])('a rule %s is assumed to restart after every exit code, to be safe', (_title, rule, action) => {
    expect(rules(rule)).toEqual([{ action, operator: 'NotIn', exitCodes: [] }]);
  });

  it('are kept, also with an action of a later Kubernetes version', () => {
    const [operator, values] = ['In', [42, 43]];
    const known = { action: 'RestartAllContainers', operator, exitCodes: values };
    expect(rules({ action: 'RestartAllContainers', exitCodes: { operator, values } })).toEqual([known]);
    expect(firstContainer({}, {})?.restartRules).toEqual([]);
  });
});

// biome-ignore format: as many as fit on a line
it.each<readonly [apiVersion: unknown, group: string]>([
  ['batch/v1', 'batch'], ['batch/v1beta1', 'batch'], ['batch.volcano.sh/v1alpha1', 'batch.volcano.sh'],
  ['kubeflow.org/v1', 'kubeflow.org'], ['v1', ''], ['', ''], ['/v1', ''], [undefined, ''],
])('an owner with the apiVersion %j is of the group %j', (apiVersion, group) => {
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'u0' };
  const owner = { group, kind: 'Job', name: 'work', uid: 'u1' };
  expect(narrowed(apiPod(owned([other, { ...job, apiVersion }]))).owner).toEqual(owner);
});

describe('a pod', () => {
  it('keeps an annotation whatever its name', () => {
    const annotations = JSON.parse('{"a": "1", "__proto__": "x"}');
    const { annotations: kept } = narrowed(apiPod({ metadata: { annotations } }));
    expect(Object.entries(kept).sort()).toEqual([
      ['__proto__', 'x'],
      ['a', '1'],
    ]);
  });

  it('keeps of init containers what tells why the others wait', () => {
    const startupProbe = { periodSeconds: 5, failureThreshold: 9 };
    const action = 'RestartAllContainers';
    const restartAll = { action, exitCodes: { operator: 'In', values: [88] } };
    const initContainers = [
      apiContainer('setup'),
      apiContainer('mesh', { restartPolicy: 'Always', startupProbe, restartPolicyRules: [restartAll] }),
      apiContainer('unreported', { restartPolicy: 'Always' }),
      apiContainer('retry', { restartPolicy: 'OnFailure' }),
    ];
    const startedAt = '2026-11-21T04:00:00Z';
    const initContainerStatuses = [
      apiStatus('setup', { running: { startedAt } }),
      apiStatus('mesh', { waiting: { reason: 'CrashLoopBackOff' } }, { started: true, restartCount: 2 }),
    ];
    const pod = narrowed(apiPod({ spec: { initContainers }, status: { initContainerStatuses } }));
    const state = { kind: 'Running', startedAt: Date.parse(startedAt) };
    expect(pod.initContainers).toMatchObject([{ name: 'setup', state }, { name: 'retry' }]);
    const restartRules = [{ action, operator: 'In', exitCodes: [88] }];
    const unknown = { started: false, restartCount: 0, restartRules: [], startupLimit: undefined };
    expect(pod.nativeSidecars).toMatchObject([
      { name: 'mesh', started: true, restartCount: 2, restartRules, startupLimit: 80_000 },
      { name: 'unreported', state: { kind: 'Unreported' }, ...unknown },
    ]);
  });
});

it.each([
  // The runtime may name an image that has several names by any of them.
  [1, undefined],
  // An image was replaced: the spec is not as it was created.
  [2, 'docker.io/library/busybox:1'],
  // Before 1.33.
  [undefined, 'docker.io/library/busybox:1'],
])('in generation %j of a pod, the image that a container last ran is %j', (generation, ranImage) => {
  const pod = apiPod({
    metadata: { generation },
    spec: { containers: [apiContainer('main', { image: 'docker.io/acme/tagged:1' })] },
    status: { containerStatuses: [apiStatus('main', {}, { image: 'docker.io/library/busybox:1' })] },
  });
  expect(narrowed(pod).containers[0]?.ranImage).toBe(ranImage);
});

describe('what a new image would be started with', () => {
  it.each<readonly [spec: Record<string, unknown>, setsPath: boolean]>([
    [{}, false],
    [{ env: [{ name: 'PATHS', value: '/a' }], envFrom: [] }, false],
    [{ env: [{ name: 'PATH', value: '/a' }] }, true],
    [{ env: [{ name: 'PATH', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }, true],
    [{ envFrom: [{ configMapRef: { name: 'variables' } }] }, true],
  ])('%j sets PATH: %j', (spec, setsPath) => {
    expect(firstContainer(spec, {})?.setsPath).toBe(setsPath);
  });

  // biome-ignore format: one row a line
  it.each<readonly [volumeMounts: unknown, mounts: readonly string[]]>([
    [undefined, []],
    [[{ mountPath: '/tools' }, { mountPath: '/tmp/', subPath: 'a' }], ['/tools', '/tmp/']],
    [[{}, { mountPath: '' }, { mountPath: '/a' }], ['/a']],
  ])('the mounts %j are at %j', (volumeMounts, mounts) => {
    expect(firstContainer({ volumeMounts }, {})?.mounts).toEqual(mounts);
  });
});

describe('statuses that do not match the spec', () => {
  const main = apiStatus('main', { terminated: { exitCode: 0 } });
  const sidecar = apiStatus('sidecar', { running: {} });
  const missing = ['container main has no status', 'container sidecar has no status'];
  const of = (name: string) => [main, sidecar, apiStatus(name, {})];
  it.each<readonly [title: string, containerStatuses: unknown, problems: readonly string[]]>([
    ['are reported if one is missing', [main], ['container sidecar has no status']],
    ['are reported if all are missing', undefined, missing],
    ['are reported if there is a duplicate', of('main'), ['container main has several statuses']],
    ['are reported if one has no container', of('ghost'), ['a status names ghost, which the spec does not']],
    ['are reported if one has no name', of(''), ['a status names nothing, which the spec does not']],
    ['are not reported if only the order differs', [sidecar, main], []],
  ])('%s', (_title, containerStatuses, problems) => {
    expect(narrowed(apiPod({ status: { containerStatuses } })).statusProblems).toEqual(problems);
  });

  it.each([
    ['Pending', undefined, []],
    ['Failed', 'Evicted', []],
    ['Running', undefined, missing],
    ['Unknown', 'NodeLost', missing],
  ])('are none if there are no statuses in a pod that is %s (%s)', (phase, reason, problems) => {
    const pod = apiPod({ status: { phase, reason, containerStatuses: undefined } });
    expect(narrowed(pod).statusProblems).toEqual(problems);
  });
});

const notAllowed = 'a name or uid that Kubernetes does not allow';
const long = 'x'.repeat(2 ** 21);
const ownedBy = (more: object) =>
  apiPod({
    metadata: { ownerReferences: [{ kind: 'Job', name: 'work', uid: 'u', controller: true, ...more }] },
  });

it('containers of one workload share what is the same in all of them', () => {
  const narrowOne = () => {
    const spec = { command: ['/bin/run'], volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] };
    return firstContainer(spec, {});
  };
  const [one, other] = [narrowOne(), narrowOne()];
  expect(one).toEqual(other);
  expect(one).not.toBe(other);
  expect(one?.command).toEqual(['/bin/run']);
  expect(one?.command).toBe(other?.command);
  expect(one?.mounts).toEqual(['/tmp']);
  expect(one?.mounts).toBe(other?.mounts);
});

describe('a malformed pod gives the reason:', () => {
  const noName = 'a container without a name';
  it.each<readonly [title: string, value: object, problem: string]>([
    ['an empty object', {}, 'no namespace, name or uid'],
    ['no uid', apiPod({ metadata: { uid: undefined } }), 'no namespace, name or uid'],
    ['a uid of megabytes', apiPod({ metadata: { uid: long } }), notAllowed],
    ['a name of megabytes', apiPod({ metadata: { name: long } }), notAllowed],
    ['a name that leads elsewhere', apiPod({ metadata: { name: '..' } }), notAllowed],
    ['a namespace with a slash', apiPod({ metadata: { namespace: 'a/b' } }), notAllowed],
    ['a node that leads elsewhere', apiPod({ spec: { nodeName: '..' } }), notAllowed],
    ['an owner named ..', ownedBy({ name: '..' }), notAllowed],
    ['an owner with a uid of megabytes', ownedBy({ uid: long }), notAllowed],
    ['no spec', { ...apiPod(), spec: undefined }, 'no restartPolicy'],
    ['an unknown restart policy', apiPod({ spec: { restartPolicy: 'Sometimes' } }), 'no restartPolicy'],
    ['no containers', apiPod({ spec: { containers: [] } }), 'no containers'],
    ['a container without a name', apiPod({ spec: { containers: [{ image: 'x' }] } }), noName],
    ['a container with an empty name', apiPod({ spec: { containers: [apiContainer('')] } }), noName],
  ])('%s', (_title, value, problem) => {
    expect(read(value)).toEqual({ problem });
  });

  it('but a pod without a status is only undecided', () => {
    const pod = narrowed({ ...apiPod(), status: undefined });
    expect(pod.phase).toBe('Unknown');
    expect(judge(pod, policy(), Date.now(), noFacts).kind).toBe('Undecided');
  });
});

it('reading a pod takes time that grows with its containers, not with their square', () => {
  const reading = (size: number) => {
    const names = Array.from({ length: size }, (_, index) => `c${index}`);
    const pod = apiPod({
      spec: { containers: names.map((name) => apiContainer(name)) },
      status: { containerStatuses: names.map((name) => apiStatus(name, {})) },
    });
    const bytes = podBytes(pod);
    return () => readPodView(bytes);
  };
  expect(growth(reading, 200)).toBeLessThan(quadratic);
});

describe('of a pod that has too much in it, only the names are read:', () => {
  const long = 'x'.repeat(bounds.value);
  const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  const mounts = (count: number) => many(count).map((name) => ({ name, mountPath: '' }));
  const template = apiContainer('wait', { env: [{ name: 'ARGO_TEMPLATE', value: 'x'.repeat(2 ** 17) }] });
  const annotated = (count: number, value: string) =>
    apiPod({ metadata: { annotations: Object.fromEntries(many(count).map((key) => [key, value])) } });
  const withMain = (more: Record<string, unknown>) =>
    apiPod({ spec: { containers: [apiContainer('main', more), apiContainer('sidecar')] } });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: object, isOverBound: boolean]>([
    ['one annotation of 250 KB', annotated(1, 'x'.repeat(250_000)), false],
    ['20 long annotations', annotated(20, long), true],
    ['100,000 empty annotations', annotated(100_000, ''), true],
    ['a list of names of 300 KB', apiPod({ metadata: { annotations: { [ownKeys.main]: 'a,'.repeat(150_000) } } }), true],
    ['one argument of 1.3 MB', withMain({ args: ['x'.repeat(1_300_000)] }), false],
    ['30 long arguments', withMain({ args: many(30).map(() => long) }), true],
    ['100,000 short arguments, of which the first are read', withMain({ args: many(100_000) }), false],
    ['100,000 variables', withMain({ env: many(100_000).map((name) => ({ name, value: '1' })) }), true],
    ['100,000 mounts', withMain({ volumeMounts: mounts(100_000) }), true],
    ['100,000 containers', apiPod({ spec: { containers: many(100_000).map((name) => ({ name })) } }), true],
    ['100,000 conditions', apiPod({ status: { conditions: many(100_000).map((type) => ({ type })) } }), true],
    ['100,000 finalizers', apiPod({ metadata: { finalizers: many(100_000) } }), true],
    ['a template of Argo of 128 KiB in each container', apiPod({ spec: { containers: [template, template] } }), false],
  ])('%s', (_title, pod, isOverBound) => {
    const view = narrowed(pod);
    expect(view).toMatchObject({ ref: { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' }, isOverBound });
    expect(view.size).toBeLessThanOrEqual(bounds.pod);
    expect(JSON.stringify(view).length).toBeLessThan(isOverBound ? 1_024 : bounds.pod);
    const verdict = judge(view, policy(), Date.parse('2026-11-21T04:00:00Z'), noFacts);
    const because = [{ kind: 'OverBound', what: 'bytes of texts and lists', most: bounds.pod }];
    if (isOverBound) expect(verdict).toMatchObject({ kind: 'Excluded', because });
  });
});

describe('What Argo Workflows made a pod for:', () => {
  interface ArgoPod {
    readonly owner?: string;
    readonly label?: boolean;
    /** The value of ARGO_TEMPLATE in Argo's own containers; null if it is not in the pod. */
    readonly template?: string | null;
    readonly annotation?: string;
  }

  const workflow = 'argoproj.io/v1alpha1 Workflow';
  function argoOf({ owner = workflow, label = true, template, annotation }: ArgoPod): ArgoView | undefined {
    const [apiVersion, kind] = owner.split(' ');
    const env = template === undefined ? [] : [{ name: 'ARGO_TEMPLATE', value: template ?? undefined }];
    const metadata = {
      labels: label ? { 'workflows.argoproj.io/workflow': 'w' } : {},
      annotations: annotation === undefined ? {} : { 'workflows.argoproj.io/template': annotation },
      ownerReferences: kind ? [{ apiVersion, kind, name: 'w', uid: 'u', controller: true }] : [],
    };
    const containers = [apiContainer('main'), apiContainer('sidecar')];
    const spec = { initContainers: [apiContainer('init', { env })], containers };
    return narrowed(apiPod({ metadata, spec })).argo;
  }

  const containerSet = '{"name":"t","containerSet":{"containers":[{"name":"a"},{"name":"b"}]}}';

  it('is recognised by its owner, or without one by its label, which other owners’ pods may have', () => {
    expect(argoOf({ label: false })).toBeDefined();
    expect(argoOf({ owner: '' })).toBeDefined();
    for (const owner of ['batch/v1 Job', 'acme.example/v1 Workflow'])
      expect(argoOf({ owner })).toBeUndefined();
  });

  it.each<readonly [title: string, pod: ArgoPod, mains: readonly string[] | undefined]>([
    ['is `main` by default', {}, ['main']],
    ['is each container of a set', { template: containerSet }, ['a', 'b']],
    ['is each container of a set in older versions’ annotation', { annotation: containerSet }, ['a', 'b']],
    ['is in the variable, if there is one', { template: '{}', annotation: containerSet }, ['main']],
    ['is unknown if the template was too long for the variable', { template: '' }, undefined],
    ['is unknown if the variable has no literal value', { template: null }, undefined],
    ['is unknown if the template is not an object', { template: '["a"]' }, undefined],
    ['is no container of an empty set', { template: '{"containerSet":{}}' }, []],
    ['is unknown if one has no name', { template: '{"containerSet":{"containers":[{}]}}' }, undefined],
    ['is `main` if the set is null', { template: '{"containerSet":null}' }, ['main']],
  ])('its main container %s', (_title, pod, mains) => {
    expect(argoOf(pod)).toEqual({ mains });
  });

  it('does not keep the template, which can be 128 KiB in each container', () => {
    const env = [
      { name: 'ARGO_TEMPLATE', value: containerSet },
      { name: 'ARGO_CONTAINER_NAME', value: 'main' },
    ];
    const pod = narrowed(apiPod({ spec: { containers: [apiContainer('main', { env })] } }));
    expect(pod.containers[0]?.env).toEqual({ ARGO_CONTAINER_NAME: 'main' });
  });
});

describe('A glance at a pod:', () => {
  const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
  const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
  const ended = { terminated: { exitCode: 0 } };

  function pod(states: Readonly<Record<string, object>>, names = Object.keys(states), phase = 'Running') {
    return {
      spec: { containers: names.map((name) => ({ name })) },
      status: { phase, containerStatuses: Object.entries(states).map(([name, state]) => ({ name, state })) },
    };
  }
  const glancedAt = (item: object) => isAtWork(decode(podGlance, podBytes(item)) ?? podGlance.absent);

  const crowd = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`c${index}`, running]));

  it.each([
    ['while all of its containers run', pod({ work: running, proxy: running })],
    ['while they wait', pod({ work: waiting, proxy: running })],
    ['if a state says nothing, which Kubernetes takes for waiting', pod({ work: {} })],
  ])('a pod is at work %s', (_, item) => expect(glancedAt(item)).toBe(true));

  it.each([
    ['once a container has ended', pod({ work: ended, proxy: running })],
    ['if a container has no status', pod({ work: running }, ['work', 'proxy'])],
    ['if a status names another container', pod({ work: running, other: running }, ['work', 'proxy'])],
    ['if two containers share a name', pod({ work: running, proxy: running }, ['work', 'work'])],
    ['if a container has no name', { ...pod({ work: running }), spec: { containers: [{}] } }],
    ['if it has no containers', pod({})],
    ['without a status', { spec: { containers: [{ name: 'work' }] } }],
    ['if it has not begun', pod({ work: waiting }, ['work'], 'Pending')],
    ['if it has more containers than a pod may have', pod(crowd)],
  ])('a pod is for the judge %s', (_, item) => expect(glancedAt(item)).toBe(false));
});
