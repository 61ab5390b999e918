import type { EmulatorClock } from '../clock.ts';
import { defaultJob, defaultPod, type JobManifest, type PodManifest } from './defaults.ts';
import { JobController } from './job/controller.ts';
import { Kubelet } from './kubelet/kubelet.ts';
import { recordedTimings, type Timings } from './kubelet/timings.ts';
import { nodeDraft, schedulePods } from './node.ts';
import type { Job, Pod } from './objects.ts';
import { type Disruption, deletePod, markDisrupted, type Placement, placePods } from './pods.ts';
import { lightRuntime } from './runtime/light.ts';
import type { Behaviours } from './runtime/light-behaviour.ts';
import type { Images } from './runtime/processes/images.ts';
import { processRuntime } from './runtime/processes/sandbox.ts';
import type { InCluster } from './runtime/runtime.ts';
import { Store } from './store.ts';

const NODE = 'node1';

export interface WorldOptions {
  readonly clock: EmulatorClock;
  readonly runtime: 'processes' | 'light';
  /** The behaviour of containers in the light runtime; takes precedence over the pods' annotation. */
  readonly behaviours?: Behaviours;
  readonly images?: Images;
  readonly timings?: Partial<Timings>;
  /** By how many milliseconds kubelets are late to notice that containers have ended, like one of a busy node. */
  readonly statusLag?: number;
  /** What admission makes of a pod that a Job creates. */
  readonly admitPod?: (manifest: PodManifest) => PodManifest;
  /** Called when a pod with its own service account starts as real processes. */
  readonly inCluster?: () => InCluster;
}

export type World = ReturnType<typeof createWorld>;

export function createWorld(options: WorldOptions) {
  const { clock, statusLag = 0 } = options;
  const store = new Store(() => clock.now());
  const timings = { ...recordedTimings, ...options.timings };
  let pods = 0;
  const kubelet = new Kubelet({
    store,
    clock,
    runtime:
      options.runtime === 'light'
        ? lightRuntime({ clock, behaviours: options.behaviours, execsDie: statusLag > 0 })
        : processRuntime(store, options.images, options.inCluster),
    timings: { ...timings, noticeExit: timings.noticeExit + statusLag },
    nextPodIP: () => `10.88.${(++pods >> 8) & 255}.${pods & 255}`,
  });
  const jobs = new JobController(store, clock, options.admitPod);
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
    clock,
    createPod: (manifest: PodManifest) => store.create<Pod>('pods', defaultPod(manifest)),
    createJob: (manifest: JobManifest) => store.create<Job>('jobs', defaultJob(manifest)),
    /** Marks the pod for deletion, or removes it if it need not wait. Returns the resulting pod. */
    deletePod: (namespace: string, name: string, options?: { readonly gracePeriodSeconds?: number }) =>
      deletePod(store, clock, namespace, name, options),
    /** Deletes the pod as the scheduler does when a pod of higher priority needs its place. */
    preemptPod: (namespace: string, name: string) => disrupt(namespace, name, 'Preemption'),
    /** Deletes the pod as a drain does, through the API for evictions. */
    evictPod: (namespace: string, name: string) => disrupt(namespace, name, 'Eviction'),
    /** Creates pods in a given state without running them. They can change only in a light world. */
    placePods: (placements: Iterable<Placement>) => placePods(store, clock.now(), NODE, placements),
    async stop() {
      stopScheduling();
      jobs.stop();
      await kubelet.stop();
    },
  };
}
