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
  const instance = { id: hexId(seed), imageID: imageID(container.image), user: { uid, gid } };
  switch (state.kind) {
    case 'running':
      return runningStatus(status, container, role, instance, state.startedAt);
    case 'terminated': {
      const startedAt = new Date(state.finishedAt.getTime() - HOUR);
      const running = runningStatus(status, container, role, instance, startedAt);
      return terminatedStatus(running, role, state, state.finishedAt);
    }
  }
}

/** 64 hexadecimal digits, unique for every container. Random ones would cost more than the rest of a pod. */
function hexId(seed: string): string {
  return Buffer.from(seed).toString('hex').padStart(64, '0').slice(-64);
}
