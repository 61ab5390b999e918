import type { Pod } from '../objects.ts';
import type { RunningContainer, Sandbox } from '../runtime/runtime.ts';
import type { StoreEvent } from '../store.ts';
import { type Node, PodWorker } from './pod-worker.ts';

/** The kubelets of all nodes. They watch pods in the store and write pod statuses to it. */
export class Kubelet {
  readonly #workers = new Map<string, PodWorker>();
  /** Pods that were created with a status, by uid. Their worker is created on first use. */
  readonly #placed = new Map<string, Pod>();
  readonly #unsubscribe: () => void;

  constructor(private readonly node: Node) {
    this.#unsubscribe = node.store.subscribe((event) => this.#hear(event));
  }

  sandbox(podUid: string): Sandbox | undefined {
    return this.#worker(podUid)?.sandbox;
  }

  /** A running container, including init and ephemeral ones. */
  running(podUid: string, container: string): RunningContainer | undefined {
    return this.#worker(podUid)?.container(container)?.running;
  }

  /** The logs of a container's last instance; undefined if there are none. */
  logs(podUid: string, container: string): string | undefined {
    return this.#worker(podUid)?.container(container)?.instance?.logs();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await Promise.all([...this.#workers.values()].map((worker) => worker.destroy()));
  }

  #worker(podUid: string): PodWorker | undefined {
    const placed = this.#placed.get(podUid);
    return this.#workers.get(podUid) ?? (placed && this.#take(placed));
  }

  #take(pod: Pod): PodWorker {
    const worker = new PodWorker(this.node, pod);
    this.#placed.delete(pod.metadata.uid);
    this.#workers.set(pod.metadata.uid, worker);
    return worker;
  }

  #hear(event: StoreEvent): void {
    if (event.resource === 'nodes' && event.type === 'ADDED') this.#nodeCame(event.object.metadata.name);
    if (event.resource !== 'pods') return;
    const pod = event.object as Pod;
    const { uid } = pod.metadata;
    if (event.type === 'DELETED') {
      this.#placed.delete(uid);
      void this.#workers.get(uid)?.destroy();
      this.#workers.delete(uid);
      return;
    }
    if (!this.#isOnNode(pod)) return;
    const isChanged = isForKubelet(pod, event.previous as Pod | undefined);
    const worker = this.#workers.get(uid);
    if (worker) {
      if (isChanged) worker.update(pod);
      else worker.keep(pod);
      return;
    }
    const isPlaced = pod.status.containerStatuses !== undefined;
    if (isPlaced) this.#placed.set(uid, pod);
    if (!isPlaced || (isChanged && event.type === 'MODIFIED')) this.#take(pod).sync();
  }

  #nodeCame(name: string): void {
    for (const pod of this.node.store.list<Pod>('pods')) {
      const known = this.#workers.has(pod.metadata.uid) || this.#placed.has(pod.metadata.uid);
      if (pod.spec.nodeName === name && !known) this.#take(pod).sync();
    }
  }

  #isOnNode({ spec: { nodeName } }: Pod): boolean {
    return nodeName !== undefined && this.node.store.get('nodes', undefined, nodeName) !== undefined;
  }
}

const heeded = [
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'finalizers',
  'annotations',
  'labels',
] as const;

/** Ignores writes that only change the status: the kubelet made them itself. */
function isForKubelet(pod: Pod, previous: Pod | undefined): boolean {
  if (!previous || pod.spec !== previous.spec) return true;
  return heeded.some((field) => pod.metadata[field] !== previous.metadata[field]);
}
