import { describe, expect, it } from 'vitest';
import type { Container, Job, LightBehaviour, PodFailurePolicyRule } from '../../../kit/emulator/index.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf, swapSidecar } from './support/light-cluster.ts';

const image = 'docker.io/local/busybox:1';
const done: LightBehaviour = { ends: { exitCode: 0, after: 1_000 } };
const unclean: LightBehaviour = { on: { SIGTERM: { exitCode: 143 } } };

function jobOf(
  spec: Partial<Job['spec']>,
  behaviours: Record<string, LightBehaviour> = { main: done, sidecar: unclean },
  pod: Parameters<typeof podManifest>[0] = {},
) {
  const cluster = lightCluster(behaviours);
  cluster.world.createJob({
    metadata: { name: 'job', namespace: NAMESPACE },
    spec: { ...spec, template: { spec: podManifest(pod).spec } },
  });
  return cluster;
}

const conditions = ({ status }: Job) =>
  (status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`);

describe('The new image of a container that has ended, unnoticed by its kubelet', () => {
  it.each([
    { restartPolicy: 'Never', exitCode: 0, state: 'terminated 0', restarts: 0 },
    { restartPolicy: 'Never', exitCode: 1, state: 'terminated 1', restarts: 0 },
    { restartPolicy: 'OnFailure', exitCode: 0, state: 'terminated 0', restarts: 0 },
    { restartPolicy: 'OnFailure', exitCode: 1, state: 'terminated 0', restarts: 1 },
  ] as const)('$restartPolicy, $exitCode: $state after $restarts restarts', async (row) => {
    const { restartPolicy, exitCode } = row;
    const cluster = lightCluster(
      { main: {}, sidecar: { ends: { exitCode, after: 1_000 } } },
      { statusLag: () => 8_000 },
    );
    cluster.world.createPod(podManifest({ restartPolicy }));
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
    swapSidecar(cluster, 'docker.io/local/nop:1');
    await cluster.clock.advance(30_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe(row.state);
    const status = cluster.pod().status.containerStatuses?.find(({ name }) => name === 'sidecar');
    expect(status?.restartCount).toBe(row.restarts);
  });
});

describe('The exit code of a light container', () => {
  const ended = async (behaviour: LightBehaviour, containers: readonly Partial<Container>[]) => {
    const cluster = lightCluster({ sidecar: behaviour });
    for (const [index, container] of containers.entries()) {
      const all = [{ name: 'sidecar', image, ...container }];
      cluster.world.createPod(podManifest({ containers: all }, `pod-${index}`));
    }
    await cluster.clock.advance(10_000);
    return containers.map((_, index) => stateOf(cluster.pod(`pod-${index}`), 'sidecar'));
  };

  it('may depend on its environment', async () => {
    const withEnv = { name: 'MODE', value: 'broken', exitCode: 143 };
    const env = (value: string) => ({ env: [{ name: 'MODE', value }] });
    const states = await ended({ ends: { exitCode: 0, withEnv } }, [env('sound'), env('broken'), {}]);
    expect(states).toEqual(['terminated 0', 'terminated 143', 'terminated 0']);
  });

  it('may be another one each time, for each image', async () => {
    const other = { image: 'docker.io/local/other:1' };
    const states = await ended({ ends: { exitCode: [0, 143] } }, [{}, {}, other, {}]);
    expect(states).toEqual(['terminated 0', 'terminated 143', 'terminated 0', 'terminated 0']);
  });
});

describe('The Job controller', () => {
  it.each([
    { managedBy: 'example.com/queue', pods: 0 },
    { managedBy: 'kubernetes.io/job-controller', pods: 1 },
  ])('gives a Job managed by $managedBy $pods pods', async ({ managedBy, pods }) => {
    const cluster = jobOf({ managedBy });
    await cluster.clock.advance(5_000);
    expect(cluster.pods()).toHaveLength(pods);
    expect(cluster.job().status.active ?? 0).toBe(pods);
  });

  it('counts as a failure what a container with its own restartPolicy Never did in an OnFailure pod', async () => {
    const sidecar = { name: 'sidecar', image, restartPolicy: 'Never' as const };
    const containers = [{ name: 'main', image }, sidecar];
    const cluster = jobOf({ backoffLimit: 0 }, undefined, { restartPolicy: 'OnFailure', containers });
    await cluster.clock.advance(5_000);
    const name = cluster.pods()[0]?.metadata.name ?? '';
    await cluster.run('sidecar', ['kill', '-TERM', '1'], name);
    await cluster.clock.advance(5_000);
    expect(cluster.pod(name).status.phase).toBe('Failed');
    expect(stateOf(cluster.pod(name), 'sidecar')).toBe('terminated 143');
    expect(conditions(cluster.job())).toContain('Failed BackoffLimitExceeded');
    expect(cluster.job().status.failed).toBe(1);
  });

  const failJob = ['FailureTarget PodFailurePolicy', 'Failed PodFailurePolicy'];
  const ready: PodFailurePolicyRule = {
    action: 'FailJob',
    onPodConditions: [{ type: 'Ready', status: 'False' }],
  };
  const on143 = (action: PodFailurePolicyRule['action']): PodFailurePolicyRule => ({
    action,
    onExitCodes: { operator: 'In', values: [143] },
  });
  it.each<[string, Partial<Job['spec']>, readonly string[], number]>([
    ['matches the rules in order', { podFailurePolicy: { rules: [on143('Ignore'), ready] } }, [], 0],
    ['knows what each failed pod has', { podFailurePolicy: { rules: [ready, on143('Ignore')] } }, failJob, 1],
    [
      'ignores what a rule ignores also while it awaits its replacement',
      {
        completionMode: 'Indexed',
        completions: 2,
        parallelism: 2,
        backoffLimit: 0,
        backoffLimitPerIndex: 1,
        podFailurePolicy: { rules: [on143('Ignore')] },
      },
      [],
      0,
    ],
  ])('%s', async (_title, spec, expected, failures) => {
    const cluster = jobOf({ backoffLimit: 6, ...spec });
    await cluster.clock.advance(5_000);
    await cluster.run('sidecar', ['kill', '-TERM', '1'], cluster.pods()[0]?.metadata.name);
    await cluster.clock.advance(10_000);
    expect(conditions(cluster.job())).toEqual(expected);
    expect(cluster.job().status.failed ?? 0).toBe(failures);
  });

  it('does not let a suspended Job pass its deadline', async () => {
    const cluster = jobOf({ activeDeadlineSeconds: 10 });
    await cluster.clock.advance(5_000);
    cluster.world.store.update<Job>('jobs', NAMESPACE, 'job', (job) => ({
      ...job,
      spec: { ...job.spec, suspend: true },
    }));
    await cluster.clock.advance(60_000);
    expect(conditions(cluster.job())).toEqual(['Suspended JobSuspended']);
  });
});
