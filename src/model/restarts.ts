import type { ContainerView, PodView, RestartPolicy } from './pod.ts';
import { isSwapUnderWay } from './swap.ts';

/**
 * Whether the kubelet restarts a container that exited with this code. The container's own restart rules and
 * restart policy (Kubernetes 1.34+) take precedence over the pod's, so a main can restart even under Never.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restart-rules
 */
export function willRestart(container: ContainerView, podPolicy: RestartPolicy, exitCode: number): boolean {
  const matches = container.restartRules.some(
    (rule) => rule.exitCodes.includes(exitCode) === (rule.operator === 'In'),
  );
  if (matches) return true;
  switch (container.restartPolicy ?? podPolicy) {
    case 'Always':
      return true;
    case 'OnFailure':
      return exitCode !== 0;
    case 'Never':
      return false;
  }
}

export function hasEndedForGood(
  container: ContainerView,
  { restartPolicy }: Pick<PodView, 'restartPolicy'>,
): boolean {
  const { state } = container;
  return state.kind === 'Terminated' && !willRestart(container, restartPolicy, state.exitCode);
}

/** Restarts that the status of a pod does not count yet: the kubelet restarts a container only after a while. */
export function restartsDue({ containers, restartPolicy }: PodView, noopImages: readonly string[]): number {
  return containers.filter((container) => isRestartDue(container, restartPolicy, noopImages)).length;
}

function isRestartDue(
  container: ContainerView,
  restartPolicy: RestartPolicy,
  noopImages: readonly string[],
): boolean {
  const { state, id } = container;
  switch (state.kind) {
    case 'Running':
      // The kubelet ends it within the pod's grace period and starts the new image.
      return isSwapUnderWay(container, noopImages);
    case 'Waiting':
      return id !== undefined;
    case 'Terminated':
      return willRestart(container, restartPolicy, state.exitCode);
    case 'Unreported':
      return false;
  }
}
