import type { Container, ContainerStatus, Pod } from '../../world/objects.ts';

/** The values for kubectl's columns READY, STATUS and RESTARTS. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When the most recently restarted container had ended. */
  readonly lastRestart: string | undefined;
}

/** Follows the API server's printPod: the last container with a reason decides the STATUS. */
export function summarizePod(pod: Pod): PodSummary {
  const { spec, status, metadata } = pod;
  const initContainers = spec.initContainers ?? [];
  const total = spec.containers.length + initContainers.filter(isNativeSidecar).length;
  const init = summarizeInit(pod, initContainers);
  const initializing = init.reason !== undefined && !hasCondition(pod, 'Initialized');
  const gated = status.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const initial = init.reason ?? (gated ? 'SchedulingGated' : (status.reason ?? status.phase));
  const counted = initializing
    ? (status.initContainerStatuses ?? [])
    : [
        ...(status.initContainerStatuses ?? []).filter(({ name }) =>
          initContainers.some((container) => container.name === name && isNativeSidecar(container)),
        ),
        ...(status.containerStatuses ?? []),
      ];
  const main = initializing ? { reason: initial, ready: 0 } : summarizeContainers(pod, initial);
  return {
    ready: init.ready + main.ready,
    total,
    reason: metadata.deletionTimestamp ? deletingReason(pod, main.reason) : main.reason,
    restarts: counted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastRestart: counted
      .map(({ lastState }) => lastState.terminated?.finishedAt ?? '')
      .sort()
      .findLast(Boolean),
  };
}

function isNativeSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function summarizeInit(pod: Pod, containers: readonly Container[]): { reason?: string; ready: number } {
  let ready = 0;
  for (const [index, status] of (pod.status.initContainerStatuses ?? []).entries()) {
    const { terminated, waiting } = status.state;
    if (terminated?.exitCode === 0) continue;
    const native = containers.some((each) => each.name === status.name && isNativeSidecar(each));
    if (native && status.started) {
      if (status.ready) ready++;
      continue;
    }
    if (terminated) return { ready, reason: `Init:${endReason(terminated)}` };
    if (waiting?.reason && waiting.reason !== 'PodInitializing') {
      return { ready, reason: `Init:${waiting.reason}` };
    }
    return { ready, reason: `Init:${index}/${containers.length}` };
  }
  return { ready };
}

function summarizeContainers(pod: Pod, initial: string): { reason: string; ready: number } {
  let reason = initial;
  let ready = 0;
  for (const { state, ready: isReady } of (pod.status.containerStatuses ?? []).toReversed()) {
    if (state.waiting?.reason) reason = state.waiting.reason;
    else if (state.terminated) reason = endReason(state.terminated);
    else if (isReady && state.running) ready++;
  }
  if (reason === 'Completed' && ready > 0) reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  return { reason, ready };
}

function endReason(terminated: NonNullable<ContainerStatus['state']['terminated']>): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

function deletingReason(pod: Pod, reason: string): string {
  if (pod.status.reason === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(pod.status.phase) ? reason : 'Terminating';
}

function hasCondition(pod: Pod, type: string): boolean {
  return pod.status.conditions?.some((each) => each.type === type && each.status === 'True') ?? false;
}
