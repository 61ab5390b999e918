import fc from 'fast-check';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import type { ApiContainer, ApiOwner, ApiPod, ApiRestartRule, ApiStatus } from './api-types.ts';

/** Chooses an option with the next random number. Failing pods shrink to the first option. */
type Choose = <const T extends readonly unknown[]>(...options: T) => T[number];

/** A list of random numbers for consecutive choices, which is fast to generate and shrinks well. */
const choices: fc.Arbitrary<Choose> = fc
  .array(fc.nat(0xffff), { minLength: 96, maxLength: 96 })
  .map((genes) => {
    let next = 0;
    return (...options) => {
      const gene = genes[next++ % genes.length] ?? 0;
      return options[gene % options.length] as (typeof options)[number];
    };
  });

/** Pods as in the API, in every state. About one in ten is stuck. */
export const arbitraryApiPod: fc.Arbitrary<ApiPod> = choices.map(makePod);

function makePod(choose: Choose): ApiPod {
  const names = namesOf(choose);
  const phase = choose('Running', 'Running', 'Running', seldom(choose, 'Pending', 'Succeeded', 'Unknown'));
  const restartPolicy = choose('Never', 'OnFailure', 'Never', seldom(choose, 'OnFailure', 'Always'));
  const statuses = statusesOf(choose, names, phase);
  const inits = choose(undefined, initsOf(choose), initsOf(choose));
  const owner = seldom(choose, choose(...owners), ofNode);
  const os = seldom(choose, undefined, 'linux', 'windows');
  return {
    metadata: {
      namespace: seldom(choose, 'demo', 'etl', 'kube-system', 'kube-public', 'kube-node-lease'),
      name: 'work-x2k9p',
      uid: 'uid-1',
      labels: choose({}, { app: 'shop' }, seldom(choose, {}, { 'workflows.argoproj.io/workflow': 'flow' })),
      annotations: annotationsOf(choose),
      ...seldom(choose, {}, { deletionTimestamp: '2026-11-21T03:59:00Z' }),
      ...(owner && { ownerReferences: [owner] }),
    },
    spec: {
      ...choose({ nodeName: 'node1' }, { nodeName: 'node1' }, { nodeName: 'node2' }, {}),
      restartPolicy,
      ...(os !== undefined && choose({ os: { name: os } }, { nodeSelector: { 'kubernetes.io/os': os } })),
      containers: names.map((name) => containerOf(choose, name)),
      ...(inits && { initContainers: inits.map(({ container }) => container) }),
      ...seldom(choose, {}, { ephemeralContainers: [{ name: 'debug' }] }),
    },
    status: {
      phase,
      ...seldom(choose, {}, { reason: 'NodeLost' }, { reason: 'Evicted' }),
      ...(statuses && { containerStatuses: statuses }),
      ...(inits && { initContainerStatuses: inits.map(({ status }) => status) }),
    },
  };
}

/** The usual option fifteen times out of sixteen. */
function seldom<const U, const T extends readonly unknown[]>(
  choose: Choose,
  usual: U,
  ...others: T
): U | T[number] {
  return choose(...oneInSixteen) ? choose(...others) : usual;
}

const oneInSixteen = Array.from({ length: 16 }, (_, index) => index === 15);

const mains = ['main', 'work'];

function namesOf(choose: Choose): readonly string[] {
  const first = choose('main', 'work', 'main');
  const second = choose('sidecar', 'istio-proxy', 'linkerd-proxy', 'wait', 'log-shipper');
  const third = seldom(choose, undefined, 'vault-agent', 'supervisor', 'second', 'main', 'work');
  const names = choose([first, second], [second, first], [first], [first, second, 'sidecar']);
  const all = third === undefined ? names : [...names, third];
  return seldom(choose, [...new Set(all)], all);
}

function containerOf(choose: Choose, name: string): ApiContainer {
  return {
    name,
    image: choose(
      'local/app:1',
      'registry.example:5000/mirror/istio/proxyv2@sha256:0a',
      'acme/log-shipper',
      'hashicorp/vault:1.17',
      'cr.l5d.io/linkerd/proxy:edge',
      'vaulted:2',
    ),
    ...seldom(choose, {}, ...['Never', 'OnFailure', 'Always'].map((restartPolicy) => ({ restartPolicy }))),
    ...seldom(choose, {}, { restartPolicyRules: [restartRule(choose)] }),
    ...seldom(choose, {}, { env: choose(...variables) }),
  };
}

/** A native sidecar, and an init container that may be one that lost its restartPolicy. */
function initsOf(choose: Choose): readonly { container: ApiContainer; status: ApiStatus }[] {
  const name = choose('setup', 'istio-proxy');
  const image = choose('setup:1', 'docker.io/istio/proxyv2:1.27.0');
  const ran = choose(running, running, { running: { startedAt: justNow } }, waiting);
  const probe = choose({}, { startupProbe: { periodSeconds: 10, failureThreshold: choose(3, 60) } });
  return [
    {
      container: { name: 'mesh', restartPolicy: 'Always', ...probe },
      status: { name: 'mesh', state: ran, started: choose(true, false), restartCount: choose(0, 1) },
    },
    {
      container: { name, image },
      status: { name, state: choose(ran, { terminated: { exitCode: 0, finishedAt: justNow } }) },
    },
  ];
}

function restartRule(choose: Choose): ApiRestartRule {
  return {
    action: choose('Restart', 'Restart', 'RestartAllContainers'),
    exitCodes: { operator: choose('In', 'NotIn', 'Near'), values: choose([0], [1, 137], [], [1.5]) },
  };
}

const kruise = 'KRUISE_TERMINATE_SIDECAR_WHEN_JOB_EXIT';
const variables: readonly NonNullable<ApiContainer['env']>[] = [
  [{ name: kruise, value: 'True' }],
  [{ name: kruise, value: 'no' }],
  [{ name: `${kruise}_WITH_IMAGE`, value: 'acme/exit' }],
  [{ name: 'KUBEXIT_NAME', value: 'a' }],
  [
    { name: 'KUBEXIT_NAME', value: 'b' },
    { name: 'KUBEXIT_DEATH_DEPS', value: 'a, c' },
  ],
  [
    { name: 'KUBEXIT_NAME', value: 'a' },
    { name: 'KUBEXIT_DEATH_DEPS', value: 'b' },
  ],
  [{ name: 'ARGO_TEMPLATE', value: '{"container":{}}' }],
  [{ name: 'ARGO_TEMPLATE', value: '{"containerSet":{"containers":[{"name":"main"},{"name":"work"}]}}' }],
  [{ name: 'ARGO_TEMPLATE', value: '' }],
  [{ name: 'SECRET' }],
];

/** Usually one status for each container, in another order. */
function statusesOf(
  choose: Choose,
  names: readonly string[],
  phase: string,
): readonly ApiStatus[] | undefined {
  // In some, the mains outlive the sidecars.
  const endFirst = (name: string) => mains.includes(name) !== isReversed;
  const isReversed = choose(...oneInSixteen);
  const statuses = [...new Set(names)]
    .map((name) => ({ name, state: stateOf(choose, endFirst(name), phase) }))
    .reverse();
  const [first] = statuses;
  return seldom(choose, statuses, undefined, statuses.slice(1), first ? [...statuses, first] : [], [
    ...statuses,
    { name: 'nobody', state: {} },
  ]);
}

function stateOf(choose: Choose, hasUsuallyEnded: boolean, phase: string): ApiStatus['state'] {
  const terminated = {
    terminated: {
      exitCode: choose(0, 0, 0, 0, 1, 137),
      finishedAt: seldom(
        choose,
        choose(...ends),
        justNow,
        later,
        '0001-01-01T00:00:00Z',
        'yesterday',
        null,
        undefined,
      ),
    },
  };
  const unstarted = phase === 'Pending' ? waiting : running;
  return hasUsuallyEnded
    ? seldom(choose, terminated, unstarted, waiting, {})
    : seldom(choose, unstarted, terminated, waiting, {});
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

// Formatting the same few times for every pod would take longer than the rest of its state.
const ends = [hour, 2 * hour, 6 * minute, 5 * minute, minute, 90 * minute].map((ago) => iso(now - ago));
const justNow = iso(now);
const later = iso(now + minute);
const running = { running: { startedAt: iso(now - 3 * hour) } };
const waiting = { waiting: { reason: 'ImagePullBackOff' } };

const owners: readonly (ApiOwner | undefined)[] = [
  { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'job-1', controller: true },
  { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'job-1', controller: true },
  { apiVersion: 'batch/v1', kind: 'Job', name: 'other', uid: 'job-2', controller: true },
  { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid: 'job-1' },
  { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', name: 'work', uid: 'job-1', controller: true },
  { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', name: 'flow', uid: 'flow-1', controller: true },
  undefined,
];
const ofNode: ApiOwner = { apiVersion: 'v1', kind: 'Node', name: 'node1', uid: 'node-1', controller: true };

const lists = ['sidecar', 'istio-proxy, sidecar', 'main', 'work,main', 'wait,nobody', ' , ', 'mesh'];
const listKeys = [
  'sidecar-sweeper.dev/sidecars',
  'sidecar-sweeper.dev/main',
  'nrmitchi.com/sidecars',
  'lemonade.com/sidecars',
  'pod.kubernetes.io/sidecars',
  'riskified.com/sidecars',
  'riskified.com/main_sidecars',
  'kubectl.kubernetes.io/default-container',
];
const others: readonly (readonly [key: string, value: string])[] = [
  ['sidecar-sweeper.dev/skip', 'true'],
  ['sidecar-sweeper.dev/skip', ' False '],
  ['sidecar-sweeper.dev/min-age', '90m'],
  ['sidecar-sweeper.dev/min-age', ' 0 '],
  ['sidecar-sweeper.dev/min-age', 'soon'],
  ['sidecar.istio.io/status', '{"containers":["istio-proxy"]}'],
  ['sidecar.istio.io/status', '{"containers":null}'],
  ['sidecar.istio.io/status', 'injected'],
  ['sidecar.istio.io/status', '["istio-proxy"]'],
  ['config.linkerd.io/skip-inbound-ports', '80'],
  ['linkerd.io/created-by', 'linkerd/proxy-injector'],
  ['workflows.argoproj.io/kill-cmd-sidecar', '["true"]'],
  ['sidecar-sweeper.dev/kill-cmd-log-shipper', '["true"]'],
  ['workflows.argoproj.io/template', '{"containerSet":{"containers":[{"name":"work"},{}]}}'],
  ['workflows.argoproj.io/template', '{"containerSet":{"containers":[{"name":"work"}]}}'],
  ['kubernetes.io/config.mirror', 'a1b2'],
];

function annotationsOf(choose: Choose): Readonly<Record<string, string>> {
  const list = (): readonly [string, string] => [choose(...listKeys), choose(...lists)];
  const entries = [
    choose(undefined, list()),
    choose(undefined, list()),
    choose(undefined, choose(...others)),
  ];
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
