import type { EmulatorClock } from '../clock.ts';
import { defaultPod, defaultPodSpec, type PodManifest } from './defaults.ts';
import { runningStatus, terminatedStatus } from './kubelet/container-status.ts';
import { nextPodStatus } from './kubelet/pod-status.ts';
import { containersOf, type PodContainer } from './kubelet/steps.ts';
import type { Pod } from './objects.ts';
import { imageID, userOf } from './runtime/runtime.ts';
import { rfc3339, type Store } from './store.ts';

/** A container's initial state. A terminated container had run for an hour. */
type PlacedState =
  | { readonly kind: 'running'; readonly startedAt: Date }
  | { readonly kind: 'terminated'; readonly exitCode: number; readonly finishedAt: Date }
  | { readonly kind: 'waiting' };

/** A pod to create as if it had existed for a long time. A container without a state is running. */
export interface Placement {
  readonly manifest: PodManifest;
  readonly states: Readonly<Record<string, PlacedState>>;
}

const HOUR = 3_600_000;

/**
 * Creates pods in the state they would have after a long time, without running them. Pods that share a `spec`
 * object in their manifests share its defaulted form, so that 100,000 of them fit into memory.
 */
export function placePods(store: Store, now: Date, nodeName: string, placements: Iterable<Placement>): Pod[] {
  const specs = new Map<PodManifest['spec'], Pod['spec']>();
  const placed: Pod[] = [];
  for (const { manifest, states } of placements) {
    const spec = specs.get(manifest.spec) ?? { nodeName, ...defaultPodSpec(manifest.spec) };
    specs.set(manifest.spec, spec);
    const draft = defaultPod(manifest, spec);
    const created = now.getTime() - 2 * HOUR;
    const metadata = { creationTimestamp: rfc3339(new Date(created)), ...draft.metadata };
    const status = placedStatus({ ...draft, metadata } as unknown as Pod, states, now, placed.length);
    placed.push(store.create<Pod>('pods', { ...draft, metadata, status }));
  }
  return placed;
}

function placedStatus(pod: Pod, states: Placement['states'], now: Date, index: number): Pod['status'] {
  const containers = containersOf(pod).map((it) => {
    const state = states[it.container.name] ?? { kind: 'running', startedAt: new Date(now.getTime() - HOUR) };
    return { ...it, status: placedContainer(pod, it, state, `${index}-${it.container.name}`) };
  });
  const startTime = pod.metadata.creationTimestamp;
  return nextPodStatus(
    { ...pod, status: { ...pod.status, phase: 'Running', startTime } },
    {
      containers,
      podIP: `10.88.${(index >> 8) & 255}.${index & 255}`,
      sandboxReady: true,
      failure: undefined,
      terminal: false,
      over: containers.every(({ status }) => status.state.terminated),
      now: new Date(startTime),
    },
  );
}

function placedContainer(
  pod: Pod,
  { role, container, status }: PodContainer,
  state: PlacedState,
  seed: string,
): PodContainer['status'] {
  if (state.kind === 'waiting') return status;
  const { uid, gid = 0 } = userOf(pod, container);
  // 64 hexadecimal digits, unique for every container. Random ones would cost more than the rest of a pod.
  const id = Buffer.from(seed).toString('hex').padStart(64, '0').slice(-64);
  const instance = { id, imageID: imageID(container.image), user: { uid, gid } };
  const startedAt = state.kind === 'running' ? state.startedAt : new Date(state.finishedAt.getTime() - HOUR);
  const running = runningStatus(status, container, role, instance, startedAt);
  return state.kind === 'running' ? running : terminatedStatus(running, role, state, state.finishedAt);
}

/**
 * Deletes a pod as the API server does. A running pod is marked and gets its grace period; the kubelet does
 * the rest. A pod that never started, has ended or has no grace period is removed at once. Finalizers delay
 * both.
 */
export function deletePod(
  store: Store,
  clock: EmulatorClock,
  namespace: string,
  name: string,
  options: { readonly gracePeriodSeconds?: number } = {},
): Pod {
  const pod = store.update<Pod>('pods', namespace, name, (current) =>
    markedForDeletion(current, clock, options),
  );
  const goesNow = pod.metadata.deletionGracePeriodSeconds === 0 && !pod.metadata.finalizers?.length;
  const stillThere = store.get('pods', namespace, name)?.metadata.uid === pod.metadata.uid;
  return goesNow && stillThere ? store.delete<Pod>('pods', namespace, name) : pod;
}

/** The pod with the time at which its grace period ends. */
export function markedForDeletion(
  pod: Pod,
  clock: EmulatorClock,
  options: { readonly gracePeriodSeconds?: number },
): Pod {
  const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
  const asked = options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
  const grace = over || !pod.spec.nodeName ? 0 : Math.max(0, asked);
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = pod.metadata;
  // A second deletion can only shorten the grace period of the first.
  if (deletionTimestamp && grace >= (deletionGracePeriodSeconds ?? 0)) return pod;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generation: (generation ?? 1) + 1,
      deletionTimestamp: rfc3339(new Date(clock.now().getTime() + grace * 1000)),
      deletionGracePeriodSeconds: grace,
    },
  };
}

/** Who removes a pod before its time. */
export type Disruption = 'Eviction' | 'Preemption';

const WHY: Readonly<Record<Disruption, { readonly reason: string; readonly message: string }>> = {
  Eviction: { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' },
  Preemption: {
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  },
};

/** Marks a pod that is about to be deleted as disrupted, so that a podFailurePolicy can tell. */
export function markDisrupted(store: Store, clock: EmulatorClock, pod: Pod, disruption: Disruption): Pod {
  const { namespace, name, generation = 1 } = pod.metadata;
  return store.update<Pod>('pods', namespace, name, (current) => {
    const { conditions = [] } = current.status;
    const condition = {
      type: 'DisruptionTarget',
      observedGeneration: generation,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: rfc3339(clock.now()),
      ...WHY[disruption],
    };
    const others = conditions.filter(({ type }) => type !== 'DisruptionTarget');
    return { ...current, status: { ...current.status, conditions: [...others, condition] } };
  });
}
