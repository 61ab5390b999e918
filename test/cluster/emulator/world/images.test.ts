import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { lightCluster, NAMESPACE, podManifest, stateOf, swapSidecar } from './support/light-cluster.ts';

const DONE = { ends: { exitCode: 0, after: 1_000 } };
const PRIVATE = 'registry.example.com/private:1';
const ABSENT = 'registry.example.com/absent:1';
const FAR = 'registry.example.com/far:1';
const registry = { [PRIVATE]: { pullSecret: 'pull' }, [ABSENT]: { missing: true }, [FAR]: { onNode: false } };

const sidecarOf = ({ status }: Pod) => status.containerStatuses?.find(({ name }) => name === 'sidecar');

/** A pod whose main container is done and whose sidecar, which exits with this code, gets another image. */
async function swappedTo(image: string, spec: Parameters<typeof podManifest>[0] = {}, exitCode = 143) {
  const cluster = lightCluster({ main: DONE, sidecar: { on: { SIGTERM: { exitCode } } } }, { registry });
  cluster.world.createPod(podManifest({ restartPolicy: 'OnFailure', ...spec }));
  await cluster.clock.advance(3_000);
  swapSidecar(cluster, image);
  await cluster.clock.advance(2_000);
  return cluster;
}

describe('A swapped image', () => {
  it('that cannot be pulled leaves the container waiting, though the old one has ended', async () => {
    const cluster = await swappedTo(ABSENT);
    const message = `failed to pull and unpack image "${ABSENT}": failed to resolve reference "${ABSENT}": ${ABSENT}: not found`;
    // The status is that of the last container that was created.
    expect(sidecarOf(cluster.pod())).toMatchObject({
      image: 'docker.io/local/busybox:1',
      restartCount: 0,
      state: { waiting: { reason: 'ErrImagePull', message } },
      lastState: { terminated: { exitCode: 143 } },
    });
    await cluster.clock.advance(10_000);
    expect(sidecarOf(cluster.pod())?.state.waiting).toEqual({
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "${ABSENT}": ErrImagePull: ${message}`,
    });
    expect(cluster.pod().status.phase).toBe('Running');
  });

  it.each([
    ['Never', 143, 'Failed'],
    ['Never', 0, 'Succeeded'],
    ['OnFailure', 0, 'Succeeded'],
  ] as const)(
    'that cannot be pulled leaves the old end to the pod under %s after %i: %s',
    async (restartPolicy, exitCode, phase) => {
      const cluster = await swappedTo(ABSENT, { restartPolicy }, exitCode);
      await cluster.clock.advance(10_000);
      expect(cluster.pod().status.phase).toBe(phase);
      expect(sidecarOf(cluster.pod())).toMatchObject({
        image: 'docker.io/local/busybox:1',
        restartCount: 0,
        state: { terminated: { exitCode } },
      });
    },
  );

  it('starts at once when the image is changed to one that can be pulled', async () => {
    const cluster = await swappedTo(ABSENT);
    await cluster.clock.advance(40_000);
    swapSidecar(cluster, FAR);
    await cluster.clock.advance(2_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
  });

  it('that needs a pull secret runs only if the pod names it and it exists', async () => {
    const refused = await swappedTo(PRIVATE);
    expect(sidecarOf(refused.pod())?.state.waiting).toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringContaining('insufficient_scope: authorization failed'),
    });
    const cluster = await swappedTo(PRIVATE, { imagePullSecrets: [{ name: 'pull' }] });
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('waiting ErrImagePull');
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull', namespace: NAMESPACE } };
    cluster.world.store.create('secrets', secret);
    await cluster.clock.advance(20_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
  });

  it('does not change a program that comes from a mounted volume', async () => {
    const cluster = lightCluster({ main: DONE });
    const [main] = podManifest().spec.containers;
    const volumeMounts = [{ name: 'tools', mountPath: '/tools' }];
    const sidecar = {
      name: 'sidecar',
      image: 'docker.io/local/busybox:1',
      command: ['/tools/agent'],
      volumeMounts,
    };
    cluster.world.createPod(podManifest({ containers: main ? [main, sidecar] : [] }));
    await cluster.clock.advance(3_000);
    swapSidecar(cluster, 'docker.io/local/nop:1');
    await cluster.clock.advance(20_000);
    expect(sidecarOf(cluster.pod())).toMatchObject({ restartCount: 1, state: { running: {} } });
  });
});

describe('imagePullPolicy', () => {
  it.each([
    ['IfNotPresent', FAR, 'running'],
    ['Always', FAR, 'running'],
    ['Never', FAR, 'waiting ErrImageNeverPull'],
    ['Always', ABSENT, 'waiting ErrImagePull'],
    ['Never', ABSENT, 'waiting ErrImageNeverPull'],
    ['Never', 'docker.io/local/busybox:1', 'running'],
  ])('%s with %s: %s', async (imagePullPolicy, image, state) => {
    const cluster = lightCluster({}, { registry });
    cluster.world.createPod(podManifest({ containers: [{ name: 'main', image, imagePullPolicy }] }));
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod(), 'main')).toBe(state);
  });

  it('Never finds an image that another container has pulled', async () => {
    const cluster = lightCluster({}, { registry });
    const container = (name: string, imagePullPolicy: string) => ({ name, image: FAR, imagePullPolicy });
    cluster.world.createPod(podManifest({ containers: [container('one', 'IfNotPresent')] }));
    await cluster.clock.advance(3_000);
    cluster.world.createPod(podManifest({ containers: [container('two', 'Never')] }, 'other'));
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod('other'), 'two')).toBe('running');
  });
});

describe('A container whose environment needs a ConfigMap or Secret', () => {
  const reference = (kind: string, more = {}) => ({
    name: 'A',
    valueFrom: { [`${kind}KeyRef`]: { name: 'settings', key: 'a', ...more } },
  });
  it.each([
    ['waits for a ConfigMap', { env: [reference('configMap')] }, 'configmap "settings" not found'],
    ['waits for a Secret', { env: [reference('secret')] }, 'secret "settings" not found'],
    [
      'waits for all of a ConfigMap',
      { envFrom: [{ configMapRef: { name: 'settings' } }] },
      'configmap "settings" not found',
    ],
    ['starts without an optional one', { env: [reference('secret', { optional: true })] }, undefined],
  ])('%s', async (_title, more, message) => {
    const cluster = lightCluster();
    const containers = [{ name: 'main', image: 'docker.io/local/busybox:1', ...more }];
    cluster.world.createPod(podManifest({ containers }));
    await cluster.clock.advance(3_000);
    const state = cluster.pod().status.containerStatuses?.[0]?.state;
    const waiting = { reason: 'CreateContainerConfigError', message };
    expect(state).toEqual(message === undefined ? { running: expect.anything() } : { waiting });
  });

  it('starts when it appears, with the key', async () => {
    const cluster = lightCluster();
    const containers = [{ name: 'main', image: 'docker.io/local/busybox:1', env: [reference('configMap')] }];
    cluster.world.createPod(podManifest({ containers }));
    await cluster.clock.advance(3_000);
    const settings = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: NAMESPACE },
    };
    cluster.world.store.create('configmaps', settings);
    await cluster.clock.advance(11_000);
    expect(cluster.pod().status.containerStatuses?.[0]?.state.waiting?.message).toBe(
      `couldn't find key a in ConfigMap ${NAMESPACE}/settings`,
    );
    cluster.world.store.update('configmaps', NAMESPACE, 'settings', (map) => ({ ...map, data: { a: '1' } }));
    await cluster.clock.advance(11_000);
    expect(stateOf(cluster.pod(), 'main')).toBe('running');
  });
});
