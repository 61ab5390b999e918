import type { EmulatorClock } from '../clock.ts';
import { defaultJob, defaultPod, type JobManifest, type PodManifest } from './defaults.ts';
import { JobController } from './job/controller.ts';
import { deleteFinishedJobs } from './job/pods.ts';
import { NodeImages, type Registry } from './kubelet/images.ts';
import { NodeKubelet } from './kubelet/kubelet.ts';
import { type KubeletBugs, Lag, recordedTimings, type StatusLag, type Timings } from './kubelet/timings.ts';
import { nodeDraft, schedulePods } from './node.ts';
import type { Job, Pod } from './objects.ts';
import { type Disruption, deletePod, markDisrupted, type Placement, placePods } from './pods.ts';
import { lightRuntime } from './runtime/light.ts';
import type { Behaviours } from './runtime/light-container.ts';
import type { Images } from './runtime/processes/images.ts';
import { processRuntime } from './runtime/processes/sandbox.ts';
import type { InCluster, Kubelet, Runtime } from './runtime/runtime.ts';
import { Store } from './store.ts';

const NODE = 'node1';

export interface WorldOptions {
  readonly clock: EmulatorClock;
  readonly runtime: 'processes' | 'light';
  /** The behaviour of containers in the light runtime; takes precedence over the pods' annotation. */
  readonly behaviours?: Behaviours;
  readonly images?: Images;
  readonly timings?: Partial<Timings>;
  /** Images that are not simply there: some must be pulled, or need a pull secret, or do not exist. */
  readonly registry?: Registry;
  /** Makes kubelets notice late that containers have ended. */
  readonly statusLag?: StatusLag;
  readonly kubeletBugs?: KubeletBugs;
  /** What admission makes of a pod that a Job creates. */
  readonly admitPod?: (manifest: PodManifest) => PodManifest;
  /** Called when a pod with its own service account starts as real processes. */
  readonly inCluster?: () => InCluster;
}

export interface World {
  readonly store: Store;
  readonly kubelet: Kubelet;
  readonly runtime: Runtime;
  readonly clock: EmulatorClock;
  createPod(manifest: PodManifest): Pod;
  createJob(manifest: JobManifest): Job;
  /** Marks the pod for deletion, or removes it if it need not wait. Returns the resulting pod. */
  deletePod(namespace: string, name: string, options?: { readonly gracePeriodSeconds?: number }): Pod;
  /** Deletes the pod as the scheduler does when a pod of higher priority needs its place. */
  preemptPod(namespace: string, name: string): Pod;
  /** Deletes the pod as a drain does, through the API for evictions. */
  evictPod(namespace: string, name: string): Pod;
  /** Creates pods in a given state without running them. They can change only in a light world. */
  placePods(placements: Iterable<Placement>): Pod[];
  /** Restarts the kubelets; containers run on. */
  restartKubelets(): void;
  stop(): Promise<void>;
}

export function createWorld(options: WorldOptions): World {
  const { clock, timings, registry = {}, statusLag } = options;
  const store = new Store(() => clock.now());
  const runtime = runtimeOf(store, options);
  let pods = 0;
  const kubelet = new NodeKubelet({
    store,
    clock,
    runtime,
    timings: { ...recordedTimings, ...timings },
    images: new NodeImages(store, registry),
    lag: new Lag(clock, statusLag),
    bugs: options.kubeletBugs ?? {},
    nextPodIP: () => `10.88.${(++pods >> 8) & 255}.${pods & 255}`,
  });
  const jobs = new JobController(store, clock, options.admitPod);
  const stopExpiring = deleteFinishedJobs(store, clock);
  const stopScheduling = schedulePods(store, clock, NODE);
  store.create('nodes', nodeDraft(NODE, clock.now()));
  const disrupt = (namespace: string, name: string, disruption: Disruption) => {
    const pod = store.get<Pod>('pods', namespace, name);
    if (pod) markDisrupted(store, clock, pod, disruption);
    return deletePod(store, clock, namespace, name);
  };

  return {
    store,
    kubelet,
    runtime,
    clock,
    createPod: (manifest) => store.create<Pod>('pods', defaultPod(manifest)),
    createJob: (manifest) => store.create<Job>('jobs', defaultJob(manifest)),
    deletePod: (namespace, name, options) => deletePod(store, clock, namespace, name, options),
    preemptPod: (namespace, name) => disrupt(namespace, name, 'Preemption'),
    evictPod: (namespace, name) => disrupt(namespace, name, 'Eviction'),
    placePods: (placements) => placePods(store, clock.now(), NODE, placements),
    restartKubelets: () => kubelet.restart(),
    async stop() {
      stopScheduling();
      stopExpiring();
      jobs.stop();
      await kubelet.stop();
    },
  };
}

function runtimeOf(store: Store, options: WorldOptions): Runtime {
  const { runtime, clock, behaviours, images, inCluster, statusLag } = options;
  switch (runtime) {
    case 'light':
      return lightRuntime({ clock, behaviours, execsDie: statusLag !== undefined });
    case 'processes':
      return processRuntime(store, images, inCluster);
  }
}
