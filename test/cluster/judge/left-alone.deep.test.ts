import { afterEach, describe, expect, it } from 'vitest';
import type { Placement } from '../../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

function execs(): number {
  return cluster.emulator.requests.filter(({ subresource }) => subresource === 'exec').length;
}

/** A stuck pod with additions to its manifest. */
function stuckWith(name: string, spec: object, metadata: object = {}): Placement {
  const placement = stuckPod({ name });
  const { manifest } = placement;
  return {
    ...placement,
    manifest: {
      metadata: { ...manifest.metadata, ...metadata },
      spec: { ...manifest.spec, ...spec },
    },
  };
}

describe('a sweep leaves alone', () => {
  it('pods excluded by their annotations, node or namespace, each with its own reason', async () => {
    cluster = await TestCluster.start([
      stuckPod({ name: 'skip', annotations: { 'sidecar-sweeper.dev/skip': 'true' } }),
      stuckPod({ name: 'later', annotations: { 'sidecar-sweeper.dev/min-age': '2h' } }),
      stuckPod({ name: 'unclear', annotations: { 'sidecar-sweeper.dev/min-age': 'two hours' } }),
      stuckPod({ name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'a1b2' } }),
      stuckPod({ name: 'own' }),
      stuckPod({ name: 'system', namespace: 'kube-system' }),
      stuckWith('windows-name', { os: { name: 'windows' } }),
      stuckWith('windows-selector', { nodeSelector: { 'kubernetes.io/os': 'windows' } }),
    ]);
    const env = { POD_NAMESPACE: 'demo', POD_NAME: 'own' };
    const { run, report } = await cluster.sweep(['--verbose'], { env });
    const reasons = Object.fromEntries(
      (report.excluded ?? []).map(({ name, because }) => [name, because.map(({ kind }) => kind)]),
    );
    expect(reasons).toEqual({
      skip: ['OptedOut'],
      later: ['TooYoung'],
      unclear: ['UnreadableAnnotation'],
      mirror: ['StaticPod'],
      own: ['OwnPod'],
      system: ['SystemNamespace'],
      'windows-name': ['Windows'],
      'windows-selector': ['Windows'],
    });
    expect(report.totals.excludedBecause).toMatchObject({ Windows: 2, OptedOut: 1 });
    expect(execs()).toBe(0);
    expect(run.exitCode).toBe(0);
  });

  it('Airflow’s xcom sidecar, which holds the result of the task, however long it runs', async () => {
    const year = 365 * 24 * 3_600_000;
    const { manifest } = stuckPod({ name: 'task' });
    const image = 'docker.io/local/busybox:1';
    cluster = await TestCluster.start([
      {
        manifest: {
          metadata: {
            ...manifest.metadata,
            labels: { kubernetes_pod_operator: 'True' },
            annotations: { 'sidecar-sweeper.dev/main': 'base' },
          },
          spec: {
            ...manifest.spec,
            containers: [
              { name: 'base', image },
              { name: 'airflow-xcom-sidecar', image },
            ],
          },
        },
        states: {
          base: { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - year) },
          'airflow-xcom-sidecar': { kind: 'running', startedAt: new Date(Date.now() - year) },
        },
      },
    ]);
    const { report } = await cluster.sweep(['-v', '--unclean-exit', 'allow', '--last-resort', 'delete']);
    expect(report.excluded?.[0]?.because).toContainEqual({
      kind: 'MainRunning',
      container: 'airflow-xcom-sidecar',
    });
    const toPods = cluster.emulator.requests.filter(({ resource }) => resource === 'pods');
    expect([...new Set(toPods.map(({ verb }) => verb))]).toEqual(['list']);
  });

  it('pods on a node that is not ready or no longer exists', async () => {
    cluster = await TestCluster.start([stuckPod()]);
    const { store } = cluster.emulator.world;
    store.update('nodes', undefined, 'node1', (node) => ({
      ...node,
      status: { conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] },
    }));
    const silent = await cluster.sweep(['-v']);
    expect(silent.report.excluded?.[0]?.because).toEqual([
      { kind: 'NodeNotReady', node: 'node1', reason: 'NodeStatusUnknown' },
    ]);
    store.delete('nodes', undefined, 'node1');
    const gone = await cluster.sweep(['-v']);
    expect(gone.report.excluded?.[0]?.because).toEqual([
      { kind: 'NodeNotReady', node: 'node1', reason: 'NodeGone' },
    ]);
    expect(execs()).toBe(0);
  });

  it('system namespaces, unless they are named', async () => {
    cluster = await TestCluster.start([stuckPod({ namespace: 'kube-system' })]);
    const { report } = await cluster.sweep(['-n', 'kube-system']);
    expect(report.totals.sidecars).toEqual({ Stopped: 1 });
  });

  it('pods that it names only with --verbose, but always counts', async () => {
    cluster = await TestCluster.start([stuckPod({ endedMinutesAgo: 1 })]);
    const { report } = await cluster.sweep();
    expect(report.excluded).toBeUndefined();
    expect(report.totals.excludedBecause).toEqual({ TooYoung: 1 });
    const { stdout } = await cluster.run(['-o', 'table', '-v']);
    expect(stdout).toContain('left alone: demo/stuck: its main ended too recently (TooYoung)');
    expect(stdout).toContain('1 pod left alone: 1 TooYoung (see docs/reasons)');
  });
});

describe('a pod whose sidecar never started', () => {
  const neverStarted = (name: string): Placement => {
    const placement = stuckPod({ name });
    return { ...placement, states: { ...placement.states, sidecar: { kind: 'waiting' } } };
  };

  it('is Pending and ignored by default', async () => {
    cluster = await TestCluster.start([neverStarted('pending'), stuckPod()]);
    const { report } = await cluster.sweep(['--dry-run']);
    expect(report.totals).toMatchObject({ listed: 1, neverStarted: 0 });
    expect(report.neverStarted).toEqual([]);
  });

  it('is found with --include-pending and reported as never started', async () => {
    cluster = await TestCluster.start([neverStarted('pending')]);
    const { run, report } = await cluster.sweep(['--include-pending']);
    expect(report.totals).toMatchObject({ listed: 1, candidates: 0, neverStarted: 1, excluded: 0 });
    expect(report.neverStarted).toMatchObject([
      { namespace: 'demo', name: 'pending', waiting: [{ name: 'sidecar', reason: expect.any(String) }] },
    ]);
    expect(execs()).toBe(0);
    // The pod is still stuck.
    expect(run.exitCode).toBe(4);
    const { stdout } = await cluster.run(['--include-pending', '-o', 'table', '--dry-run']);
    expect(stdout).toMatch(
      /^never started: demo\/pending: sidecar is waiting \(.+\), and its mains ended 1h/m,
    );
  });

  it('differs from an unscheduled pod, which gets no warning', async () => {
    cluster = await TestCluster.start();
    cluster.emulator.world.store.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace: 'demo', name: 'unscheduled' },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'acme/app:1' }] },
      status: { phase: 'Pending' },
    });
    const { report } = await cluster.sweep(['--include-pending', '-v']);
    expect(report.undecided).toEqual([]);
    expect(report.excluded?.[0]?.because.map(({ kind }) => kind)).toEqual([
      'NotRunning',
      'NoSidecar',
      'MainWaiting',
    ]);
  });
});
