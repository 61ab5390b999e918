import type { Job, Pod, PodFailurePolicyRule } from '../objects.ts';

/** What a Job does about a failed pod: counts it, ignores it, fails its index or fails. */
export type FailureVerdict =
  | { readonly kind: 'Count' }
  | { readonly kind: 'Ignore' }
  | { readonly kind: 'FailIndex' }
  | { readonly kind: 'FailJob'; readonly message: string };

/** Applies the first matching rule of the podFailurePolicy. Without a match, the failed pod counts. */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const why = matches(rule, pod);
    if (!why) continue;
    switch (rule.action) {
      case 'Ignore':
        return { kind: 'Ignore' };
      case 'FailJob':
        return { kind: 'FailJob', message: `${why} matching FailJob rule at index ${index}` };
      case 'FailIndex':
        return { kind: 'FailIndex' };
      case 'Count':
        return { kind: 'Count' };
    }
  }
  return { kind: 'Count' };
}

function matches(rule: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { name, namespace } = pod.metadata;
  for (const wanted of rule.onPodConditions ?? []) {
    const found = pod.status.conditions?.some(
      ({ type, status }) => type === wanted.type && status === (wanted.status ?? 'True'),
    );
    if (found) return `Pod ${namespace}/${name} has condition ${wanted.type}`;
  }
  const { onExitCodes } = rule;
  if (!onExitCodes) return undefined;
  const statuses = [...(pod.status.containerStatuses ?? []), ...(pod.status.initContainerStatuses ?? [])];
  for (const status of statuses) {
    const code = status.state.terminated?.exitCode;
    // Exit code 0 is not a failure; rules do not apply to it.
    if (!code || (onExitCodes.containerName ?? status.name) !== status.name) continue;
    if (onExitCodes.values.includes(code) === (onExitCodes.operator === 'In')) {
      return `Container ${status.name} for pod ${namespace}/${name} failed with exit code ${code}`;
    }
  }
  return undefined;
}
