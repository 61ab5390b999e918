import type { FailureCriterion, FailureRule, JobView } from '../../src/model/job.ts';
import { jobKey, type PodView } from '../../src/model/pod.ts';
import type { JobFacts, JobReading } from '../../src/model/reading.ts';

/** A Job that is under way and has all of its retries left. */
export function jobView(more: Partial<JobView> = {}): JobView {
  return {
    containers: ['main'],
    nativeSidecars: [],
    complete: false,
    failed: undefined,
    uncounted: [],
    backoffLimit: 6,
    failedPods: 0,
    failedIndexes: [],
    perIndex: undefined,
    failureRules: [],
    otherController: undefined,
    completions: 1,
    hasSuccessPolicy: false,
    succeededPods: 0,
    ...more,
  };
}

export function presentJob(more: Partial<JobView> = {}): JobReading {
  return { kind: 'Present', job: jobView(more) };
}

/** What planning knows of that Job. */
export function jobFacts(more: Partial<JobView> = {}, restarts = 0, restartsAtWork = 0): JobFacts {
  const pods = { finished: 1, failing: 0, failures: [] };
  return { kind: 'Known', job: jobView(more), ...pods, restarts, restartsAtWork };
}

/** What the Job that owns a pod is remembered by. */
export function keyOfJob({ ref, owner }: PodView): string {
  if (!owner) throw new Error('no Job owns the pod');
  return jobKey(ref.namespace, owner);
}

export function onExitCodes(
  action: string,
  exitCodes: readonly number[],
  more: Partial<Extract<FailureCriterion, { kind: 'ExitCodes' }>> = {},
): FailureRule {
  return { action, on: { kind: 'ExitCodes', container: undefined, operator: 'In', exitCodes, ...more } };
}

export function onPodConditions(action: string, ...conditions: readonly string[]): FailureRule {
  const patterns = conditions.map((condition) => {
    const [type = '', status = 'True'] = condition.split('=');
    return { type, status };
  });
  return { action, on: { kind: 'PodConditions', patterns } };
}
