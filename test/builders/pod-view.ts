import type {
  ContainerState,
  ContainerView,
  InitContainerView,
  NativeSidecarView,
  PodView,
  RestartRule,
} from '../../src/model/pod.ts';
import type { Millis } from '../../src/util/time.ts';

export const now: Millis = Date.parse('2026-11-21T04:00:00Z');
export const minute: Millis = 60_000;
export const hour: Millis = 60 * minute;

export const running: ContainerState = { kind: 'Running', startedAt: now - 2 * hour };

export function waiting(reason = 'CrashLoopBackOff'): ContainerState {
  return { kind: 'Waiting', reason };
}

type Terminated = Extract<ContainerState, { kind: 'Terminated' }>;

/** A terminated state, by default since an hour ago. */
export function exited(exitCode = 0, finishedAt: Millis = now - hour): Terminated {
  return {
    kind: 'Terminated',
    exitCode,
    signal: undefined,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    finishedAt,
  };
}

/** A terminated state without a finish time. */
export function exitedAtUnknownTime(): Terminated {
  return { ...exited(), finishedAt: undefined };
}

export function container(
  name: string,
  state: ContainerState,
  more: Partial<ContainerView> = {},
): ContainerView {
  return {
    name,
    image: 'docker.io/local/busybox:1',
    command: undefined,
    args: undefined,
    mounts: [],
    env: {},
    pullPolicy: 'IfNotPresent',
    setsPath: false,
    restartPolicy: undefined,
    restartRules: [],
    state,
    id: `containerd://${name}-0`,
    ranImage: undefined,
    restartCount: 0,
    lastExitCode: undefined,
    lastFinishedAt: undefined,
    ...more,
  };
}

/** Names for so many containers. */
export function containerNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}

export function initContainer(
  name: string,
  state: ContainerState = exited(),
  image = 'setup:1',
): InitContainerView {
  return { name, image, state };
}

/** A native sidecar that runs without a startup probe. */
export function nativeSidecar(name: string, more: Partial<NativeSidecarView> = {}): NativeSidecarView {
  const usual = { state: running, started: true, restartCount: 0, restartRules: [], startupLimit: undefined };
  return { name, image: `${name}:1`, ...usual, ...more };
}

export function restartIn(...exitCodes: readonly number[]): RestartRule {
  return { action: 'Restart', operator: 'In', exitCodes };
}

export function restartNotIn(...exitCodes: readonly number[]): RestartRule {
  return { action: 'Restart', operator: 'NotIn', exitCodes };
}

/** A stuck pod with these sidecars, which its annotation names; those that are mere names are running. */
export function podWith(sidecars: readonly (string | ContainerView)[], more: Partial<PodView> = {}): PodView {
  const views = sidecars.map((one) => (typeof one === 'string' ? container(one, running) : one));
  return podView({
    annotations: { 'sidecar-sweeper.dev/sidecars': views.map(({ name }) => name).join() },
    containers: [container('main', exited()), ...views],
    ...more,
  });
}

/** A stuck pod whose only sidecar is like this. */
export function podWithSidecar(sidecar: Partial<ContainerView>, more: Partial<PodView> = {}): PodView {
  return podWith([container('sidecar', running, sidecar)], more);
}

/**
 * A stuck pod of a Job: `main` exited 0 an hour ago, and Argo's `wait` did in a step of a workflow; `sidecar`, named by an annotation,
 * is running.
 */
export function podView(more: Partial<PodView> = {}): PodView {
  const wait = more.argo ? [container('wait', exited())] : [];
  return {
    ref: { namespace: 'demo', name: 'work-x2k9p', uid: 'd6ec8454-e621-4898-86cd-51b1420db9ab' },
    node: 'node1',
    phase: 'Running',
    reason: undefined,
    deleting: false,
    disrupted: false,
    conditions: [],
    restartPolicy: 'Never',
    processNamespace: 'Container',
    hostNetwork: false,
    pullSecrets: [],
    os: undefined,
    grace: 30_000,
    owner: { group: 'batch', kind: 'Job', name: 'work', uid: '11fd7993-57a4-4ba8-b95d-d214769a5629' },
    hasOtherOwner: false,
    labels: {},
    requests: { cpu: 0.25, memory: 128 * 2 ** 20 },
    annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar' },
    containers: [container('main', exited()), ...wait, container('sidecar', running)],
    nativeSidecars: [],
    initContainers: [],
    restarts: 0,
    ephemeralContainers: [],
    argo: undefined,
    statusProblems: [],
    awaitsJobTracking: true,
    size: 2_048,
    isOverBound: false,
    ...more,
  };
}

/** The same, except that reading one of its fields fails. */
export function breaking<T extends object>(one: T, field: keyof T): T {
  const get = () => {
    throw new Error('out of paper');
  };
  return Object.defineProperty({ ...one }, field, { get });
}
