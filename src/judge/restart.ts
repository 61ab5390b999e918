import type { ContainerView, RestartPolicy } from '../vocabulary.ts';

/**
 * Whether the kubelet starts a container again that ended with this code. The container's own policy and its
 * rules (Kubernetes 1.34+) come before the pod's, so that a main can come back even under Never.
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
