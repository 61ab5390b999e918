import type { EmulatorClock } from '../clock.ts';
import { defaultJob, defaultPod, type JobManifest, type PodManifest } from './defaults.ts';
import { deletePod } from './delete-pod.ts';
import type { InCluster } from './in-cluster.ts';
import { JobController } from './job-controller.ts';
import { recordedTimings, type Timings } from './kubelet/timings.ts';
import { NodeKubelet } from './kubelet.ts';
import { nodeDraft } from './node.ts';
import type { Job, Pod } from './objects.ts';
import { type Placement, placePods } from './place-pods.ts';
import type { Behaviours } from './runtime/light/behaviour.ts';
import { lightRuntime } from './runtime/light.ts';
import type { Images } from './runtime/processes/images.ts';
import { processRuntime } from './runtime/processes.ts';
import type { Kubelet } from './runtime.ts';
import { schedulePods } from './scheduler.ts';
import { Store } from './store.ts';

const NODE = 'node1';

export interface WorldOptions {
  readonly clock: EmulatorClock;
  /** Real processes, or mere state. */
  readonly runtime: 'processes' | 'light';
  /** What containers of the light runtime do, instead of the annotation in their pods. */
  readonly behaviours?: Behaviours;
  /** Images for real processes, beside those that are always there. */
  readonly images?: Images;
  readonly timings?: Partial<Timings>;
  /** Asked for when a pod that has an account of its own starts as real processes. */
  readonly inCluster?: () => InCluster;
}

/** The cluster behind the API server: its objects, the node that runs its pods, the controller of its Jobs. */
export interface World {
  readonly store: Store;
  readonly kubelet: Kubelet;
  readonly clock: EmulatorClock;
  createPod(manifest: PodManifest): Pod;
  createJob(manifest: JobManifest): Job;
  /** Marks the pod, or removes it when nothing is left to wait for; returns it as it stands then. */
  deletePod(namespace: string, name: string, options?: { readonly gracePeriodSeconds?: number }): Pod;
  /** Pods in a given state, without running them there. Only in a light world can anything happen to them. */
  placePods(placements: Iterable<Placement>): Pod[];
  /** Ends every container and leaves nothing behind. */
  stop(): Promise<void>;
}

/** A cluster of one node, empty but for that node. */
export function createWorld(options: WorldOptions): World {
  const { clock, timings } = options;
  const store = new Store(() => clock.now());
  const containers = runtimeOf(store, options);
  let pods = 0;
  const kubelet = new NodeKubelet({
    store,
    clock,
    runtime: containers,
    timings: { ...recordedTimings, ...timings },
    nextPodIP: () => `10.88.${(++pods >> 8) & 255}.${pods & 255}`,
  });
  const jobs = new JobController(store, clock);
  const stopScheduling = schedulePods(store, clock, NODE);
  store.create('nodes', nodeDraft(NODE, clock.now()));

  return {
    store,
    kubelet,
    clock,
    createPod: (manifest) => store.create<Pod>('pods', defaultPod(manifest)),
    createJob: (manifest) => store.create<Job>('jobs', defaultJob(manifest)),
    deletePod: (namespace, name, options) => deletePod(store, clock, namespace, name, options),
    placePods: (placements) => placePods(store, clock.now(), NODE, placements),
    async stop() {
      stopScheduling();
      jobs.stop();
      await kubelet.stop();
    },
  };
}

function runtimeOf(store: Store, { runtime, clock, behaviours, images, inCluster }: WorldOptions) {
  switch (runtime) {
    case 'light':
      return lightRuntime(clock, behaviours);
    case 'processes':
      return processRuntime(store, images, inCluster);
  }
}
