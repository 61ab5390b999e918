import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { beforeAll, expect, it } from 'vitest';
import type { PodExplanation } from '../../../src/report/explain/explanation.ts';
import type { Scan } from '../../../src/report/scan.ts';
import {
  type Behaviours,
  ensureNamespace,
  type Placement,
  type Pod,
  type PodManifest,
  type PodWebhook,
  steppedClock,
} from '../../kit/emulator/index.ts';
import { container, TestCluster } from '../../kit/stuck-pods.ts';

const proxyv2 = 'docker.io/istio/proxyv2:1.27.0';
const minute = 60_000;

const main = container('main');
const startupProbe = { exec: { command: ['true'] }, initialDelaySeconds: 5 };
const mesh = container('mesh', { restartPolicy: 'Always', startupProbe });

const dropped = {
  restartPolicy: 'Never',
  initContainers: [{ name: 'istio-proxy', image: proxyv2, restartPolicy: 'Always' }],
  containers: [main],
};
const alone: PodManifest = {
  metadata: { name: 'alone', namespace: 'demo' },
  spec: { restartPolicy: 'Never', containers: [main, container('istio-proxy', { image: proxyv2 })] },
};

/** What a kubelet with a defect leaves behind; the emulator's has none. */
function left(name: string, restartPolicy: 'Never' | 'OnFailure', main: Placement['states'][string]) {
  const spec = { restartPolicy, initContainers: [mesh], containers: [container('main')] };
  return { manifest: { metadata: { name, namespace: 'demo' }, spec }, states: { main } };
}

const behaviours: Behaviours = ({ metadata }, { name }) =>
  metadata.name === 'alone' && name !== 'main' ? { ends: { exitCode: 0, after: minute } } : undefined;

/** A webhook that was built before Kubernetes 1.28, and writes back what it knows of a pod. */
const old: PodWebhook = {
  rewrite(pod) {
    const initContainers = pod.spec.initContainers?.map(({ restartPolicy: _unknown, ...known }) => known);
    return { ...pod, spec: { ...pod.spec, ...(initContainers && { initContainers }) } };
  },
};

const clock = steppedClock();
const cluster = TestCluster.startedOnce([], { webhook: old, clock, behaviours });
beforeAll(async () => {
  const { world } = cluster.emulator;
  ensureNamespace(world, 'demo');
  world.createPod(alone);
  const finishedAt = new Date(clock.now().getTime() + 3 * minute);
  world.placePods([
    left('crashed', 'OnFailure', { kind: 'terminated', exitCode: 2, finishedAt }),
    left('unprobed', 'Never', { kind: 'waiting' }),
  ]);
  const notStarted = { started: false, ready: false, restartCount: 1 };
  world.store.update<Pod>('pods', 'demo', 'unprobed', ({ status, ...pod }) => {
    const initContainerStatuses = (status.initContainerStatuses ?? []).map((one) => ({
      ...one,
      ...notStarted,
    }));
    return { ...pod, status: { ...status, phase: 'Pending', initContainerStatuses } };
  });
  const config = new KubeConfig();
  config.loadFromString(cluster.emulator.kubeconfig());
  const body = { metadata: { name: 'dropped' }, spec: dropped };
  await config.makeApiClient(CoreV1Api).createNamespacedPod({ namespace: 'demo', body });
  await clock.advance(31 * minute);
});

it('scan tells what hangs, apart from what is stuck', async () => {
  const json = await cluster.runHere(['scan', '--include-pending', '-o', 'json']);
  expect(json.exitCode).toBe(0);
  const { hanging, candidates }: Scan = JSON.parse(json.stdout);
  expect(candidates).toEqual([]);
  expect(hanging.map(({ name, hang }) => [name, hang]).sort()).toEqual([
    ['alone', { kind: 'ProxyEndedFirst', container: 'istio-proxy', main: 'main' }],
    ['crashed', { kind: 'MainNotRestarted', container: 'main', exitCode: 2 }],
    ['dropped', { kind: 'RestartPolicyDropped', container: 'istio-proxy', profile: 'istio' }],
    ['unprobed', { kind: 'StartupProbeStopped', container: 'mesh', restartCount: 1 }],
  ]);
  const { stdout } = await cluster.runHere(['scan', '--include-pending', '-o', 'table']);
  expect(stdout).toMatch(/^1 pod hanging, for 30m.*: demo\/alone; see explain --reason ProxyEndedFirst$/m);
  expect(stdout).toMatch(/^4 pods listed, none stuck, 4 hanging for another reason\. /m);
});

it('explain leads with why a pod hangs, and where to read on', async () => {
  const { stdout } = await cluster.runHere(['explain', 'demo/dropped', '-o', 'json']);
  const { verdict, plan }: PodExplanation = JSON.parse(stdout);
  expect(verdict).toMatchObject({ kind: 'Hanging', hang: { kind: 'RestartPolicyDropped' } });
  expect(plan).toBeUndefined();
  const table = await cluster.runHere(['explain', 'demo/crashed', '-o', 'table']);
  expect(table.stdout).toMatch(/^demo\/crashed has hung for 28m.*--reason MainNotRestarted$/m);
});

it('a sweep tells them, counts them, ends none, and does not fail for them', async () => {
  const before = cluster.emulator.requests.length;
  const last = ['--last-resort', 'delete', '--unclean-exit', 'allow', '--no-lock'];
  const { report, run } = await cluster.sweepHere(['--include-pending', ...last]);
  expect(report.totals).toMatchObject({
    candidates: 0,
    hanging: { MainNotRestarted: 1, ProxyEndedFirst: 1, RestartPolicyDropped: 1, StartupProbeStopped: 1 },
  });
  expect(report.hanging).toHaveLength(4);
  expect(run.exitCode).toBe(0);
  const sent = cluster.emulator.requests.slice(before).map(({ verb }) => verb);
  expect(sent.filter((verb) => !['get', 'list'].includes(verb ?? ''))).toEqual([]);
});
