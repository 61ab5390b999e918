import { onTestFinished } from 'vitest';
import {
  createWorld,
  type Job,
  type LightBehaviour,
  type Pod,
  type PodManifest,
  steppedClock,
} from '../../../../kit/emulator/index.ts';
import { container } from '../../../../kit/stuck-pods.ts';

export type LightCluster = ReturnType<typeof lightCluster>;

export const NAMESPACE = 'demo';

/** A light world on a stepped clock, with behaviours by image or container name. Other containers run until SIGTERM and exit 0. */
export function lightCluster(
  behaviours: Record<string, LightBehaviour> = {},
  options: Partial<Parameters<typeof createWorld>[0]> = {},
) {
  const clock = steppedClock();
  const world = createWorld({
    clock,
    runtime: 'light',
    // A container with a no-op image exits at once, regardless of its former behaviour.
    behaviours: (_pod, { name, image }) =>
      image.includes('/nop') ? undefined : (behaviours[image] ?? behaviours[name]),
    ...options,
  });
  onTestFinished(() => world.stop());
  const start = clock.now().getTime();
  const statuses: Pod['status'][] = [];
  world.store.subscribe(({ resource, object }) => {
    if (resource === 'pods') statuses.push((object as Pod).status);
  });
  const pod = (name = 'pod') => found(world.store.get<Pod>('pods', NAMESPACE, name), name);
  return {
    world,
    clock,
    pod,
    seconds: () => (clock.now().getTime() - start) / 1000,
    pods: () => world.store.list<Pod>('pods', NAMESPACE),
    job: () => found(world.store.get<Job>('jobs', NAMESPACE, 'job'), 'job'),
    /** All that its pods ever had. */
    statuses: statuses as readonly Pod['status'][],
    patch: (change: (pod: Pod) => Pod) => void world.store.update<Pod>('pods', NAMESPACE, 'pod', change),
  };
}

export function podManifest(spec: Partial<PodManifest['spec']> = {}, name = 'pod'): PodManifest {
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: [container('main'), container('sidecar')],
      ...spec,
    },
  };
}

export function swapSidecar(cluster: LightCluster, image: string): void {
  cluster.patch((pod) => {
    const containers = pod.spec.containers.map((one) => (one.name === 'sidecar' ? { ...one, image } : one));
    return { ...pod, spec: { ...pod.spec, containers } };
  });
}

export function stateOf(pod: Pod, container: string): string {
  const { initContainerStatuses = [], containerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  const status = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].find(
    ({ name }) => name === container,
  );
  const { running, waiting, terminated } = found(status, container).state;
  if (running) return 'running';
  return terminated ? `terminated ${terminated.exitCode}` : `waiting ${waiting?.reason}`;
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`there is no ${name}`);
  return value;
}
