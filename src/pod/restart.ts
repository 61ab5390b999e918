import type { ContainerView, RestartPolicy } from '../vocabulary/container.ts';

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
