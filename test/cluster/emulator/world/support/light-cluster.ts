import { onTestFinished } from 'vitest';
import {
  type Container,
  createWorld,
  type Job,
  type LightBehaviour,
  type Pod,
  type PodManifest,
  type SteppedClock,
  steppedClock,
  type World,
} from '../../../../kit/emulator/index.ts';

/** A light world on a stepped clock, with helpers for tests. */
export interface LightCluster {
  readonly world: World;
  readonly clock: SteppedClock;
  seconds(): number;
  pod(name?: string): Pod;
  pods(): Pod[];
  job(): Job;
  statuses(name?: string): Pod['status'][];
  run(container: string, command: readonly string[], pod?: string): Promise<void>;
  patch(change: (pod: Pod) => Pod, name?: string): void;
}

export const NAMESPACE = 'demo';

/** Creates a cluster with behaviours by image or container name. Other containers run until SIGTERM and exit 0. */
export function lightCluster(
  behaviours: Record<string, LightBehaviour> = {},
  options: Partial<Parameters<typeof createWorld>[0]> = {},
): LightCluster {
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
  const seen = new Map<string, Pod['status'][]>();
  world.store.subscribe(({ resource, object }) => {
    if (resource !== 'pods') return;
    const { name } = object.metadata;
    seen.set(name, [...(seen.get(name) ?? []), (object as Pod).status]);
  });
  const pod = (name = 'pod') => found(world.store.get<Pod>('pods', NAMESPACE, name), name);
  return {
    world,
    clock,
    pod,
    seconds: () => (clock.now().getTime() - start) / 1000,
    pods: () => world.store.list<Pod>('pods', NAMESPACE),
    job: () => found(world.store.get<Job>('jobs', NAMESPACE, 'job'), 'job'),
    statuses: (name = 'pod') => seen.get(name) ?? [],
    async run(container, command, name) {
      const running = found(world.kubelet.running(pod(name).metadata.uid, container), container);
      const silent = () => {};
      await running.exec(command, { onStdout: silent, onStderr: silent });
    },
    patch(change, name = 'pod') {
      world.store.update<Pod>('pods', NAMESPACE, name, change);
    },
  };
}

export function podManifest(spec: Partial<PodManifest['spec']> = {}, name = 'pod'): PodManifest {
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: ['main', 'sidecar'].map((container) => ({
        name: container,
        image: 'docker.io/local/busybox:1',
      })),
      ...spec,
    },
  };
}

export function swapSidecar(cluster: LightCluster, image: string, name = 'pod'): void {
  const swapped = (container: Container) =>
    container.name === 'sidecar' ? { ...container, image } : container;
  cluster.patch(
    (pod) => ({ ...pod, spec: { ...pod.spec, containers: pod.spec.containers.map(swapped) } }),
    name,
  );
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
