import fc from 'fast-check';
import type {
  ContainerState,
  ContainerView,
  PodView,
  RestartPolicy,
  RestartRule,
} from '../../src/model/pod.ts';
import type { Facts, NamespaceReading } from '../../src/model/reading.ts';
import { catalogue } from '../../src/policy/catalogue.ts';
import type { Policy } from '../../src/policy/policy.ts';
import type { Rule } from '../../src/policy/rules.ts';
import { container, hour, minute, now, podView } from './pod-view.ts';
import { policy } from './policy.ts';

const mainNames = ['main', 'work'];
const sidecarNames = ['sidecar', 'istio-proxy', 'vault-agent'];

const exitCodes = fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 42, 137, 143);

const mostlyNever = ['Never', 'Never', 'Never', 'OnFailure', 'OnFailure', 'Always'] as const;
const restartPolicies: fc.Arbitrary<RestartPolicy> = fc.constantFrom(...mostlyNever);

function mostly<T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 14, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

const times = mostly(
  fc.integer({ min: now - 2 * hour, max: now - minute }),
  fc.constantFrom(undefined, 0, now, now + hour),
);

const terminated = fc.record({
  kind: fc.constant('Terminated' as const),
  exitCode: exitCodes,
  signal: fc.constant(undefined),
  reason: fc.constant('Completed'),
  finishedAt: times,
});

const running = fc.constant({ kind: 'Running' as const, startedAt: now - 3 * hour });

const neither = fc.constantFrom(
  { kind: 'Waiting' as const, reason: 'CrashLoopBackOff' },
  { kind: 'Waiting' as const, reason: 'ImagePullBackOff' },
  { kind: 'Unreported' as const },
);

const restartRules: fc.Arbitrary<RestartRule> = fc.record({
  action: mostly(fc.constant('Restart'), fc.constantFrom('RestartAllContainers', '')),
  operator: fc.constantFrom('In' as const, 'NotIn' as const),
  exitCodes: fc.array(exitCodes, { maxLength: 3 }),
});

const variables: fc.Arbitrary<ContainerView['env']> = fc.constantFrom<ContainerView['env'][]>(
  { KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT: 'true' },
  { KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT: 'false' },
  { KUBEXIT_NAME: 'main' },
  { KUBEXIT_NAME: 'sidecar', KUBEXIT_DEATH_DEPS: 'main' },
  { KUBEXIT_NAME: 'main', KUBEXIT_DEATH_DEPS: 'sidecar' },
  { KUBEXIT_NAME: 'sidecar', KUBEXIT_DEATH_DEPS: 'main,'.repeat(300) },
);

function containerNamed(name: string): fc.Arbitrary<ContainerView> {
  const states: fc.Arbitrary<ContainerState> = mainNames.includes(name)
    ? mostly(terminated, fc.oneof(running, neither))
    : mostly(running, fc.oneof(terminated, neither));
  return fc
    .record({
      state: states,
      image: fc.constantFrom('docker.io/istio/proxyv2:1.27.0', 'hashicorp/vault:1.17', 'local/app:1'),
      restartPolicy: mostly(fc.constant(undefined), restartPolicies),
      restartRules: mostly(fc.constant([]), fc.array(restartRules, { minLength: 1, maxLength: 2 })),
      env: mostly(fc.constant({}), variables),
      id: mostly(fc.constant(`containerd://${name}`), fc.constant(undefined)),
    })
    .map(({ state, ...more }) => container(name, state, more));
}

const lists = ['sidecar,istio-proxy,vault-agent', 'sidecar, istio-proxy', 'sidecar', 'main', 'work,nobody'];
const names = fc.constantFrom(...lists, '');
const killCommands = ['sidecar', 'work'].map((name) => `workflows.argoproj.io/kill-cmd-${name}`);
const ofOthers = ['nrmitchi.com/sidecars', 'riskified.com/main_sidecars', ...killCommands];
const ofMains = ['sidecar-sweeper.dev/main', 'sidecar-sweeper.dev/main'];

const annotation: fc.Arbitrary<readonly [key: string, value: string]> = fc.oneof(
  fc.tuple(fc.constant('sidecar-sweeper.dev/sidecars'), names),
  fc.tuple(fc.constantFrom(...ofOthers), names),
  fc.tuple(
    fc.constantFrom(...ofMains, 'kubectl.kubernetes.io/default-container'),
    fc.constantFrom('main', 'work', 'main,work', 'sidecar'),
  ),
  fc.constantFrom<(readonly [string, string])[]>(
    ['sidecar.istio.io/status', '{"containers":["istio-proxy"]}'],
    ['sidecar.istio.io/status', 'injected'],
    ['sidecar-sweeper.dev/skip', 'true'],
    ['sidecar-sweeper.dev/skip', 'false'],
    ['sidecar-sweeper.dev/min-age', '90m'],
    ['sidecar-sweeper.dev/min-age', '0'],
    ['sidecar-sweeper.dev/min-age', 'soon'],
    ['kubernetes.io/config.mirror', 'a1b2'],
  ),
);

const owners = fc.constantFrom<PodView['owner'][]>(
  { group: 'batch', kind: 'Job', name: 'work', uid: 'job-1' },
  { group: 'batch', kind: 'Job', name: 'other', uid: 'job-2' },
  { group: 'argoproj.io', kind: 'Workflow', name: 'flow', uid: 'flow-1' },
  undefined,
);

/** The parts of a pod outside its containers, usually with common values. */
const surroundings = fc.record({
  phase: mostly(fc.constant('Running'), fc.constantFrom('Pending', 'Succeeded', 'Unknown')),
  deleting: mostly(fc.constant(false), fc.constant(true)),
  namespace: mostly(fc.constantFrom('demo', 'etl'), fc.constantFrom('kube-system', 'kube-public')),
  node: fc.constantFrom('node1', 'node1', 'node1', 'node2', undefined),
  reason: mostly(fc.constant(undefined), fc.constantFrom('NodeLost', 'Evicted')),
  os: mostly(fc.constantFrom('linux', undefined), fc.constant('windows')),
  labels: fc.constantFrom<PodView['labels'][]>({}, { app: 'work' }, { app: 'shop' }),
  owner: mostly(owners, fc.constant({ group: '', kind: 'Node', name: 'node1', uid: 'node-1' })),
  argo: mostly(
    fc.constant(undefined),
    fc.constantFrom({ mains: ['main'] }, { mains: ['main', 'work'] }, { mains: undefined }),
  ),
});

/** Pods in every state, realistic or not. About one in twenty is stuck. */
export const arbitraryPod: fc.Arbitrary<PodView> = fc
  .tuple(fc.subarray(mainNames, { minLength: 1 }), fc.subarray(sidecarNames))
  .map(([mains, sidecars]) => [...mains, ...sidecars])
  .chain((names) =>
    fc.record({
      surroundings,
      restartPolicy: restartPolicies,
      processNamespace: fc.constantFrom('Container' as const, 'Pod' as const, 'Node' as const),
      grace: fc.integer({ min: 0, max: 600_000 }),
      annotations: fc.array(annotation, { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
      containers: fc.tuple(...names.map(containerNamed)),
      statusProblems: mostly(fc.constant([]), fc.constant(['container main has no status'])),
    }),
  )
  .map(({ surroundings: { namespace, ...around }, containers, ...more }) =>
    podView({
      ref: { namespace, name: 'work-x2k9p', uid: 'uid-1' },
      ...around,
      ...more,
      containers: around.phase === 'Pending' ? containers.map(notStarted) : containers,
    }),
  );

/** The usual reason for a Pending pod: an image that cannot be pulled. */
function notStarted(view: ContainerView): ContainerView {
  return view.state.kind === 'Running'
    ? { ...view, state: { kind: 'Waiting', reason: 'ImagePullBackOff' } }
    : view;
}

/** The inputs of a judgement, except the time. */
export interface Situation {
  readonly pod: PodView;
  readonly policy: Policy;
  readonly facts: Facts;
}

const rules: fc.Arbitrary<Rule> = fc.constantFrom<Rule[]>(
  { name: 'proxies', role: 'Sidecar', containers: ['*-proxy'] },
  { name: 'local', role: 'Sidecar', images: ['local/*'], containers: ['side*'] },
  { name: 'shop', role: 'Main', labels: { app: 'shop' } },
  { name: 'etl', role: 'Sidecar', containers: ['work'], namespaces: ['e*'], ownerKinds: ['Job'] },
);

const policies: fc.Arbitrary<Policy> = fc
  .record({
    scope: fc.record({
      namespaces: fc.constantFrom<(readonly string[])[]>([], [], ['demo'], ['demo', 'kube-system']),
      labelSelector: fc.constant(undefined),
      includePending: fc.boolean(),
    }),
    minAge: fc.oneof(fc.integer({ min: 0, max: 2 * hour }), fc.constant(5 * minute)),
    rules: fc.array(rules, { maxLength: 2 }),
    catalogue: fc.constantFrom(catalogue, catalogue, []),
  })
  .map(policy);

const readings: readonly NamespaceReading[] = [
  { kind: 'Present', annotations: { 'sidecar-sweeper.dev/skip': 'true' } },
  { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no get' } },
];

// biome-ignore format: one row a line
const facts: fc.Arbitrary<Facts> = fc
  .record({
    template: fc.constantFrom(undefined, undefined, ['main'], ['main'], ['main', 'work'], ['main', 'sidecar']),
    unready: fc.constantFrom(undefined, undefined, undefined, undefined, 'node1', 'node2'),
    self: fc.constantFrom(undefined, undefined, undefined, undefined, 'work-x2k9p', 'sweeper'),
    namespace: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, ...readings),
    selected: fc.constantFrom(undefined, undefined, undefined, undefined, ['demo'], ['jobs']),
  })
  .map(({ template, unready, self, namespace, selected }) => ({
    templates: new Map(template && [['job-1', { containers: template, nativeSidecars: [] }]]),
    nodes: new Map(
      unready === undefined ? [] : [[unready, { kind: 'NotReady', reason: 'NodeStatusUnknown' }]],
    ),
    namespaces: new Map(namespace && [['demo', namespace]]),
    selectedNamespaces: selected && new Set(selected),
    self: self === undefined ? undefined : { namespace: 'demo', name: self },
  }));

/** Pods, policies and facts that relate to each other. */
export const arbitrarySituation: fc.Arbitrary<Situation> = fc.record({
  pod: arbitraryPod,
  policy: policies,
  facts,
});
