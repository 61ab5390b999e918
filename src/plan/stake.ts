import type { PodView } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import { indexFailuresOf, rank } from './cost.ts';
import type { PodPlan } from './sweep-plan.ts';

/** More retries than this are as good as endless. It bounds how many different stakes there are. */
const plenty = 100;

/** How much a pod can lose: the worse its cost is, the more, and among equals the fewer retries are left. */
export function stakeOf({ uncleanCost, retriesLeft }: Pick<PodPlan, 'uncleanCost' | 'retriesLeft'>): number {
  const share = retriesLeft === undefined ? 0 : 1 / (2 + Math.min(Math.max(retriesLeft, 0), plenty));
  return rank(uncleanCost) + share;
}

/** How many more unclean ends the Job of a pod, or the pod's index, survives; undefined if no Job is known. */
export function retriesLeftOf(pod: PodView, job: JobFacts | undefined): number | undefined {
  if (job?.kind !== 'Known') return undefined;
  const { backoffLimit, failedPods, perIndex } = job.job;
  if (pod.restartPolicy === 'OnFailure') return backoffLimit - job.restarts;
  const left = backoffLimit - failedPods;
  return perIndex ? Math.min(left, perIndex.retries - indexFailuresOf(pod)) : left;
}
