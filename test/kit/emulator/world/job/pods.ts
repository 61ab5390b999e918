import type { PodManifest } from '../defaults.ts';
import type { Container, Job, KubeObject, Pod } from '../objects.ts';

/** Keeps a deleted pod until its Job has counted it. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

/** A pod that its Job has counted, or that has lost its Job. */
export function released<T extends KubeObject>(pod: T): T {
  const { finalizers = [], ...metadata } = pod.metadata;
  const others = finalizers.filter((finalizer) => finalizer !== TRACKING_FINALIZER);
  return { ...pod, metadata: others.length > 0 ? { ...metadata, finalizers: others } : metadata };
}

export function jobPod(job: Job, index: number | undefined, more: Record<string, string> = {}): PodManifest {
  const { name, namespace, uid } = job.metadata;
  const { metadata, spec } = job.spec.template;
  const indexed = index === undefined ? {} : { [COMPLETION_INDEX]: String(index) };
  const annotations = { ...metadata?.annotations, ...indexed, ...more };
  return {
    metadata: {
      generateName: index === undefined ? `${name}-` : `${name}-${index}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...metadata?.labels, ...indexed },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true },
      ],
      finalizers: [TRACKING_FINALIZER],
    },
    spec: index === undefined ? spec : { ...spec, hostname: `${name}-${index}`, ...withIndex(spec) },
  };
}

function withIndex({ initContainers, containers }: PodManifest['spec']) {
  const fieldPath = `metadata.labels['${COMPLETION_INDEX}']`;
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } };
  const told = (container: Container): Container => ({
    ...container,
    env: [...(container.env ?? []), variable],
  });
  return {
    ...(initContainers ? { initContainers: initContainers.map(told) } : {}),
    containers: containers.map(told),
  };
}

/** The label and annotation with the index of an Indexed Job's pod. */
const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';

export function completionIndex(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[COMPLETION_INDEX];
  return text === undefined ? undefined : Number(text);
}

/** `1,3-5` as a status has it. */
export function readIndexes(text: string | undefined): number[] {
  if (!text) return [];
  return text.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  });
}

/** Formats indexes for `status.completedIndexes`: sorted, three and more consecutive ones as ranges. */
export function writeIndexes(indexes: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...new Set(indexes)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  // Kubernetes writes two neighbours as a list.
  const written = ([first, last]: readonly [number, number]) =>
    first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`;
  return ranges.map(written).join(',');
}

/** The indexes that have neither succeeded nor failed and have no active pod, lowest first. */
export function openIndexes(job: Job, busy: readonly Pod[]): number[] {
  const { completedIndexes, failedIndexes } = job.status;
  const over = [...readIndexes(completedIndexes), ...readIndexes(failedIndexes)];
  const taken = new Set([...over, ...busy.map(completionIndex)]);
  const all = Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index);
  return all.filter((index) => !taken.has(index));
}

const FIRST_DELAY = 10_000;
const LONGEST_DELAY = 600_000;

/** Consecutive failures and the time of the last one, which delay the replacement. */
export interface Failures {
  readonly inARow: number;
  readonly lastAt: number;
}

export const NO_FAILURES: Failures = { inARow: 0, lastAt: 0 };

/** Adds newly ended pods. A success resets the count. */
export function addFailures(before: Failures, succeeded: readonly Pod[], failed: readonly Pod[]): Failures {
  const lastSuccess = Math.max(Number.NEGATIVE_INFINITY, ...succeeded.map(finishedAt));
  const since = failed.map(finishedAt).filter((time) => time > lastSuccess);
  const row = succeeded.length > 0 ? { inARow: 0, lastAt: before.lastAt } : before;
  return { inARow: row.inARow + since.length, lastAt: Math.max(row.lastAt, ...since) };
}

export function retryDelay({ inARow, lastAt }: Failures, now: number): number {
  if (inARow === 0) return 0;
  return Math.max(0, lastAt + Math.min(FIRST_DELAY * 2 ** (inARow - 1), LONGEST_DELAY) - now);
}

/**
 * When a pod ended, as the Job controller sees it: one that is deleted while it runs ended when it was no longer ready.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/controller/job/backoff_utils.go
 */
export function finishedAt({ metadata, status: { conditions = [], containerStatuses = [] } }: Pod): number {
  const ends = containerStatuses.map(({ state }) => state.terminated?.finishedAt ?? '');
  if (ends.length > 0 && !ends.includes('')) return Math.max(...ends.map((end) => Date.parse(end)));
  const ready = conditions.find(({ type }) => type === 'Ready');
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  return deletionTimestamp
    ? Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000
    : Date.parse(creationTimestamp);
}
