import { describe, expect, it } from 'vitest';
import type { Container, LightBehaviour, Pod } from '../../../kit/emulator/index.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf, swapSidecar } from './support/light-cluster.ts';

const image = 'docker.io/local/busybox:1';
const done = { ends: { exitCode: 0, after: 1_000 } };
const deaf = { on: {} };
const ABSENT = 'registry.example.com/absent:1';
const OTHER = 'registry.example.com/other:1';
const missing = { [ABSENT]: { image: 'missing' } } as const;

const sidecarOf = ({ status }: Pod) => status.containerStatuses?.find(({ name }) => name === 'sidecar');

/** A cluster with this pod, some time after it was created. */
async function withPod(
  behaviours: Record<string, LightBehaviour>,
  manifest = podManifest(),
  time = 3_000,
  options: Parameters<typeof lightCluster>[1] = {},
) {
  const cluster = lightCluster(behaviours, options);
  cluster.world.createPod(manifest);
  await cluster.clock.advance(time);
  return cluster;
}

/** A pod whose main is done and whose sidecar, which exits with this code, gets another image. */
async function swappedTo(to: string, spec: Parameters<typeof podManifest>[0] = {}, exitCode = 143) {
  const behaviours = { main: done, sidecar: { on: { SIGTERM: { exitCode } } }, ...missing };
  const cluster = await withPod(behaviours, podManifest({ restartPolicy: 'OnFailure', ...spec }));
  swapSidecar(cluster, to);
  await cluster.clock.advance(2_000);
  return cluster;
}

describe('A swapped image', () => {
  it('that cannot be pulled leaves the container waiting until it is changed, though the old one has ended', async () => {
    const cluster = await swappedTo(ABSENT);
    // The status is that of the last container that was created.
    expect(sidecarOf(cluster.pod())).toMatchObject({
      image,
      restartCount: 0,
      state: {
        waiting: { reason: 'ErrImagePull', message: expect.stringContaining(`${ABSENT}: not found`) },
      },
      lastState: { terminated: { exitCode: 143 } },
    });
    await cluster.clock.advance(40_000);
    expect(sidecarOf(cluster.pod())?.state.waiting?.reason).toBe('ImagePullBackOff');
    swapSidecar(cluster, OTHER);
    await cluster.clock.advance(2_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
  });

  it.each([
    ['Never', 143, 'Failed'],
    ['Never', 0, 'Succeeded'],
    ['OnFailure', 0, 'Succeeded'],
  ] as const)('that cannot be pulled keeps the end, %s, %i: %s', async (restartPolicy, exitCode, phase) => {
    const cluster = await swappedTo(ABSENT, { restartPolicy }, exitCode);
    await cluster.clock.advance(10_000);
    expect(cluster.pod().status.phase).toBe(phase);
    expect(sidecarOf(cluster.pod())).toMatchObject({ image, state: { terminated: { exitCode } } });
  });

  it('of two containers ends them one after the other, each within the grace period, and then starts both', async () => {
    const cluster = await withPod({ main: deaf, sidecar: deaf });
    cluster.patch(({ spec, ...pod }) => {
      const containers = spec.containers.map((one) => ({ ...one, image: 'docker.io/local/nop:1' }));
      return { ...pod, spec: { ...spec, containers } };
    });
    await cluster.clock.advance(9_500);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
    await cluster.clock.advance(5_000);
    const { containerStatuses = [], phase } = cluster.pod().status;
    expect(phase).toBe('Succeeded');
    const ends = containerStatuses.map((one) => Date.parse(one.lastState.terminated?.finishedAt ?? ''));
    expect((ends[1] ?? 0) - (ends[0] ?? 0)).toBe(5_000);
  });

  it('starts also if its pod is deleted before the old container has ended', async () => {
    const cluster = await withPod({ main: done, sidecar: deaf });
    swapSidecar(cluster, 'docker.io/local/nop:1');
    await cluster.clock.advance(1_000);
    cluster.world.deletePod(NAMESPACE, 'pod');
    await cluster.clock.advance(20_000);
    expect(cluster.statuses.at(-1)?.phase).toBe('Succeeded');
  });

  it('does not change a program that comes from a mounted volume', async () => {
    const volumeMounts = [{ name: 'tools', mountPath: '/tools' }];
    const sidecar = { name: 'sidecar', image, command: ['/tools/agent'], volumeMounts };
    const containers = [{ name: 'main', image }, sidecar];
    const cluster = await withPod({ main: done }, podManifest({ containers }));
    swapSidecar(cluster, 'docker.io/local/nop:1');
    await cluster.clock.advance(20_000);
    expect(sidecarOf(cluster.pod())).toMatchObject({ restartCount: 1, state: { running: {} } });
  });

  it.each([
    { restartPolicy: 'Never', exitCode: 0, state: 'terminated 0', restarts: 0 },
    { restartPolicy: 'Never', exitCode: 1, state: 'terminated 1', restarts: 0 },
    { restartPolicy: 'OnFailure', exitCode: 0, state: 'terminated 0', restarts: 0 },
    { restartPolicy: 'OnFailure', exitCode: 1, state: 'terminated 0', restarts: 1 },
  ] as const)('of one that ended unnoticed: %o', async ({ restartPolicy, exitCode, state, restarts }) => {
    const behaviours = { main: {}, sidecar: { ends: { exitCode, after: 1_000 } } };
    const cluster = await withPod(behaviours, podManifest({ restartPolicy }), 3_000, { statusLag: 8_000 });
    swapSidecar(cluster, 'docker.io/local/nop:1');
    await cluster.clock.advance(30_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe(state);
    expect(sidecarOf(cluster.pod())?.restartCount).toBe(restarts);
  });
});

describe('A hook', () => {
  const withHooks = (lifecycle: Container['lifecycle'] & object) =>
    podManifest({ terminationGracePeriodSeconds: 10, containers: [{ name: 'main', image, lifecycle }] });

  it.each([
    [3, 3_300],
    [30, 10_300],
  ])('of preStop holds the signal back for %d s, at most for the grace period', async (seconds, gone) => {
    const main = { on: { SIGTERM: { exitCode: 0 } } };
    const cluster = await withPod({ main }, withHooks({ preStop: { sleep: { seconds } } }), 2_000);
    cluster.world.deletePod(NAMESPACE, 'pod');
    await cluster.clock.advance(gone - 400);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
    await cluster.clock.advance(500);
    expect(cluster.pod().status.phase).toBe('Succeeded');
    await cluster.clock.advance(800);
    expect(cluster.pods()).toEqual([]);
  });

  it('of postStart keeps the container waiting until it has ended, and kills it if it fails', async () => {
    const cluster = await withPod({}, withHooks({ postStart: { sleep: { seconds: 4 } } }), 4_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('waiting ContainerCreating');
    await cluster.clock.advance(1_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
    const hooks = withHooks({ postStart: { exec: { command: ['true'] } } });
    const failing = await withPod({ main: { shell: false } }, hooks, 4_000);
    expect(stateOf(failing.pod(), 'main')).toBe('terminated 137');
  });
});

describe('A native sidecar', () => {
  const native: Container = { name: 'native', image, restartPolicy: 'Always' };
  const manifest = podManifest({
    terminationGracePeriodSeconds: 10,
    initContainers: [native],
    containers: [{ name: 'main', image }],
  });

  it('is stopped only when the regular containers have ended, and still has two seconds', async () => {
    const slow = { on: { SIGTERM: { exitCode: 0, after: 1_500 } } };
    const cluster = await withPod({ main: {}, native: slow }, structuredClone(manifest));
    // The finalizer keeps the pod, so that its last status can be read.
    cluster.patch((pod) => ({ ...pod, metadata: { ...pod.metadata, finalizers: ['test/keep'] } }));
    cluster.world.deletePod(NAMESPACE, 'pod');
    await cluster.clock.advance(10_900);
    expect(stateOf(cluster.pod(), 'main')).toBe('terminated 137');
    expect(stateOf(cluster.pod(), 'native')).toBe('running');
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('terminated 0');
  });

  it('has the whole grace period when the regular containers have ended by themselves', async () => {
    const cluster = await withPod({ main: done, native: {} }, structuredClone(manifest), 11_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('running');
    await cluster.clock.advance(4_000);
    expect(stateOf(cluster.pod(), 'native')).toBe('terminated 137');
    expect(cluster.pod().status.phase).toBe('Succeeded');
  });
});

describe('A container restarts', () => {
  it('at once, then after 10, 20, 40 ... 300 seconds, and at once again if it ran for ten minutes', async () => {
    const main = { ends: { exitCode: 7, after: 2_000 } };
    const cluster = await withPod({ main }, podManifest({ restartPolicy: 'OnFailure' }), 1_500_000);
    const since = ({ containerStatuses }: Pod['status']) =>
      containerStatuses?.find(({ name }) => name === 'main')?.state.running?.startedAt;
    const times = [...new Set(cluster.statuses.flatMap((status) => since(status) ?? []))];
    const starts = times.map((time) => Date.parse(time) / 1_000);
    const gaps = starts.slice(1).map((time, index) => time - (starts[index] ?? 0) - 2);
    for (const [index, wait] of [0, 10, 20, 40, 80, 160, 300, 300].entries()) {
      expect((gaps[index] ?? -1) - wait).toBeOneOf([0, 1]);
    }
    const late = { ends: { exitCode: 7, after: 601_000 } };
    const long = await withPod({ main: late }, podManifest({ restartPolicy: 'Always' }), 4 * 602_000);
    expect(long.pod().status.containerStatuses?.[0]?.restartCount).toBe(4);
  });

  const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }] as const;
  it.each<readonly [pod: 'Never' | 'OnFailure' | 'Always', own: object, exitCode: number, restarts: number]>([
    ['Never', {}, 1, 0],
    ['OnFailure', {}, 0, 0],
    ['OnFailure', {}, 1, 1],
    ['Always', {}, 0, 1],
    ['OnFailure', { restartPolicy: 'Never' }, 1, 0],
    ['Never', { restartPolicy: 'Never', restartPolicyRules: rules }, 42, 1],
    ['Never', { restartPolicy: 'Never', restartPolicyRules: rules }, 43, 0],
  ])('under %s and its %j after exit code %i, %i times', async (restartPolicy, own, exitCode, restarts) => {
    const [main, sidecar] = podManifest().spec.containers;
    if (!main || !sidecar) expect.fail('the pod has both');
    const manifest = podManifest({ restartPolicy, containers: [{ ...main, ...own }, sidecar] });
    const cluster = await withPod({ main: { ends: { exitCode, after: 2_000 } } }, manifest, 4_000);
    expect(cluster.pod().status.containerStatuses?.[0]?.restartCount).toBe(restarts);
  });
});
