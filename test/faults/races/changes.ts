import type { Job, Pod, World } from '../../kit/emulator/index.ts';
import type { mainOf } from '../../kit/random/read-pod.ts';
import { sidecars, stuckPod } from '../../kit/stuck-pods.ts';

/** What others do to a pod while it is swept. Harmless if it is gone. */
export interface Change {
  readonly title: string;
  readonly row: 'A6' | 'C1' | 'C2' | 'C5';
  readonly restartPolicy?: 'OnFailure';
  /** The pod belongs to a Job, or is on a node of its own: both are called like its namespace. */
  readonly has?: 'Job' | 'Node';
  make(world: World, namespace: string): void;
}

export const podName = 'stuck';

function podIn({ store }: World, namespace: string): Pod | undefined {
  return store.get<Pod>('pods', namespace, podName);
}

/** The same name, and another pod; its main is at work, or has ended as well. */
function replace(world: World, namespace: string, main: 'running' | 'ended'): void {
  if (podIn(world, namespace)) world.store.delete('pods', namespace, podName);
  const { manifest, states } = stuckPod({ namespace, name: podName, sidecar: sidecars.clean });
  const running = { kind: 'running', startedAt: world.clock.now() } as const;
  world.placePods([{ manifest, states: main === 'running' ? { main: running, sidecar: running } : states }]);
}

function changePod(world: World, namespace: string, change: (pod: Pod) => Pod): void {
  if (podIn(world, namespace)) world.store.update<Pod>('pods', namespace, podName, change);
}

function killSidecar(world: World, namespace: string): void {
  const pod = podIn(world, namespace);
  if (pod) world.kubelet.running(pod.metadata.uid, 'sidecar')?.kill('SIGKILL');
}

function annotate(world: World, namespace: string, key: string, value: string): void {
  changePod(world, namespace, (pod) => ({
    ...pod,
    metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, [key]: value } },
  }));
}

type MainState = NonNullable<ReturnType<typeof mainOf>>['state'];

function changeMain(world: World, namespace: string, change: (state: MainState) => object): void {
  changePod(world, namespace, (pod) => {
    const containerStatuses = (pod.status.containerStatuses ?? []).map((status) =>
      status.name === 'main' ? { ...status, state: change(status.state) } : status,
    );
    return { ...pod, status: { ...pod.status, containerStatuses } };
  });
}

function runMainAgain(world: World, namespace: string): void {
  changeMain(world, namespace, () => ({ running: { startedAt: world.clock.now().toISOString() } }));
}

function endMainAt(world: World, namespace: string, finishedAt: unknown): void {
  changeMain(world, namespace, ({ terminated }) => ({ terminated: { ...terminated, finishedAt } }));
}

/** The main's end as a kubelet with a wrong clock writes it, or none that writes what Kubernetes allows. */
export const wrongEnds: readonly Change[] = [
  ['in an hour', new Date(Date.now() + 3_600_000 + 600_000).toISOString()],
  ['in the year 1', '0001-01-01T00:00:00Z'],
  ['in the year 9999', '9999-12-31T23:59:59Z'],
  ['at no time', undefined],
  ['at null', null],
  ['at no date', 'yesterday'],
  ['at a day that no month has', '2026-02-31T25:61:61Z'],
  ['at a number', 1_795_359_600],
].map(([title, finishedAt]) => ({
  title: `says that its main ended ${title}`,
  row: 'C5',
  make: (world, namespace) => endMainAt(world, namespace, finishedAt),
}));

// biome-ignore format: one row a line
export const changes: readonly Change[] = [
  { title: 'is replaced by a pod at work', row: 'C1', make: (world, ns) => replace(world, ns, 'running') },
  { title: 'is replaced by a stuck pod', row: 'C1', make: (world, ns) => replace(world, ns, 'ended') },
  { title: 'sees its sidecar end', row: 'C2', make: killSidecar },
  { title: 'sees its sidecar restarted', row: 'C2', restartPolicy: 'OnFailure', make: killSidecar },
  { title: 'sees its main run again', row: 'C2', make: runMainAgain },
  { title: 'opts out', row: 'C2', make: (world, ns) => annotate(world, ns, 'sidecar-sweeper.dev/skip', 'true') },
  { title: 'calls its sidecar a main', row: 'C2', make: (world, ns) => annotate(world, ns, 'sidecar-sweeper.dev/main', 'main,sidecar') },
  { title: 'is deleted', row: 'A6', make: (world, ns) => podIn(world, ns) && world.deletePod(ns, podName) },
  { title: 'is deleted at once', row: 'A6', make: (world, ns) => podIn(world, ns) && world.deletePod(ns, podName, { gracePeriodSeconds: 0 }) },
  { title: 'is evicted', row: 'A6', make: (world, ns) => podIn(world, ns) && world.evictPod(ns, podName) },
  { title: 'loses its node', row: 'A6', has: 'Node', make: ({ store }, ns) => store.get('nodes', undefined, ns) && store.delete('nodes', undefined, ns) },
  { title: 'loses its Job', row: 'A6', has: 'Job', make: ({ store }, ns) => store.get('jobs', ns, ns) && store.delete('jobs', ns, ns) },
  { title: 'belongs to a Job that fails', row: 'A6', has: 'Job', make: ({ store }, ns) => store.update<Job>('jobs', ns, ns, (job) => ({ ...job, spec: { ...job.spec, activeDeadlineSeconds: 1 } })) },
];
