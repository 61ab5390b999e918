import type { JobCounts } from '../../facts/job-facts.ts';
import { fits } from '../../plan/blocked.ts';
import { freshFor } from '../../util/retry.ts';
import type { Millis } from '../../util/time.ts';
import type { Answer, Gate, SendRequest, Settled } from './gate.ts';

interface Reserved {
  /** Restarts that the pod had when the last step was sent to it, without those that steps add. */
  readonly before: number;
  /** Restarts that the steps sent to it may add. */
  readonly more: number;
  /** The requests that may still end it: others wait for these, and not for what the pod keeps. */
  readonly requests: ReadonlySet<string>;
  /** Whether a step that was sent to it was not seen to end it in its time. */
  readonly hasOutlived: boolean;
}

interface Budget {
  readonly pods: Map<string, Reserved>;
  /** When a step for a pod of the Job settled last: counts that were read before are too old. */
  settledAt: Millis;
}

/**
 * Keeps each Job within its backoffLimit. Under Never, pods of a Job that one more failure may end go one at a time. Under OnFailure, where
 * all restarts of unfinished pods count, swaps wait for each other even if the Job is allowed to fail: it may not have to.
 */
export class JobBudgetGate implements Gate {
  readonly #jobs = new Map<string, Budget>();

  ask(request: SendRequest, counts: JobCounts | undefined, now: Millis): Answer {
    const { job: key, restarts, mayFailJob, cost, pod } = request;
    if (key === undefined || cost === 'Nothing') return { kind: 'Open' };
    const countsRestarts = pod.restartPolicy === 'OnFailure';
    if (countsRestarts ? restarts === 0 : mayFailJob) return { kind: 'Open' };
    const { pods, settledAt } = this.#of(key);
    const own = pods.get(pod.ref.uid);
    if (!counts || now - counts.at > freshFor || counts.at < settledAt) return { kind: 'Stale' };
    const { reading } = counts;
    if (reading.kind === 'Gone') return { kind: 'Open' };
    const others = [...pods].filter(([uid]) => uid !== pod.ref.uid);
    const wait = { kind: 'Wait', key: keyOf(key) } as const;
    // A pod that others may wait for does not wait for them: it goes on, or is left as it is.
    const mayWait = !isActive(own) && others.some(([, other]) => isActive(other));
    if (!countsRestarts) {
      // The Job does not fail even if every pod that was sent to fails, and this one, too.
      const isSafe =
        reading.kind === 'Present' && reading.job.failedPods + others.length + 1 <= reading.job.backoffLimit;
      return mayWait && !isSafe ? wait : { kind: 'Open' };
    }
    const never = { kind: 'Never', reason: 'NoRoomInJob' } as const;
    if (reading.kind !== 'Present') return mayFailJob ? { kind: 'Open' } : never;
    const needed = restartsWith(counts, pods, pod.ref.uid, reservationFor(request, own, counts));
    if (needed !== undefined && fits(needed, reading.job.backoffLimit)) return { kind: 'Open' };
    if (mayWait) return wait;
    if (mayFailJob) return { kind: 'Open' };
    return { ...never, ...(needed !== undefined && { raiseTo: needed + 1 }) };
  }

  reserve(request: SendRequest, counts: JobCounts | undefined): void {
    const { job, pod, restarts } = request;
    // A request that adds no restart reserves none, or two pods that were asked first would wait for each other.
    if (job === undefined || (pod.restartPolicy === 'OnFailure' && restarts === 0)) return;
    const { pods } = this.#of(job);
    const { uid } = pod.ref;
    pods.set(uid, reservationFor(request, pods.get(uid), counts));
  }

  settle({ id, job, pod, restarts }: SendRequest, settled: Settled, now: Millis): readonly string[] {
    if (job === undefined || settled.kind === 'Answered') return [];
    const budget = this.#of(job);
    const { uid } = pod.ref;
    const own = budget.pods.get(uid);
    if (!own) return [];
    budget.settledAt = now;
    if (settled.kind === 'Left') {
      if (isPaid(settled.phase, pod.restartPolicy === 'OnFailure')) budget.pods.delete(uid);
      else budget.pods.set(uid, { ...own, requests: new Set() });
      return [keyOf(job)];
    }
    const isSent = settled.end !== 'NotSent';
    const isSeen = isSent && settled.end !== 'Unseen' && settled.end !== 'Pending';
    // A pod keeps what was reserved until it is concluded, but there is nothing to wait for if it did not end.
    const requests = new Set([...own.requests].filter((each) => isSeen || each !== id));
    const hasOutlived = own.hasOutlived || (isSent && !isSeen);
    const more = isSent ? own.more : own.more - restarts;
    if (requests.size > 0 || hasOutlived) budget.pods.set(uid, { ...own, more, requests, hasOutlived });
    else budget.pods.delete(uid);
    return [keyOf(job)];
  }

  #of(key: string): Budget {
    const budget = this.#jobs.get(key) ?? { pods: new Map(), settledAt: Number.NEGATIVE_INFINITY };
    this.#jobs.set(key, budget);
    return budget;
  }
}

function reservationFor(
  { id, pod, restarts }: SendRequest,
  own: Reserved | undefined,
  counts: JobCounts | undefined,
): Reserved {
  const { before = pod.restarts, more = 0, hasOutlived = false } = own ?? {};
  // A sidecar may have restarted by itself since: what the step adds comes on top of that.
  const shown = counts?.restarts.get(pod.ref.uid) ?? 0;
  return {
    before: Math.max(before, shown - more),
    more: more + restarts,
    requests: new Set(own?.requests).add(id),
    hasOutlived,
  };
}

function isActive(pod: Reserved | undefined): boolean {
  return pod !== undefined && pod.requests.size > 0;
}

/** Under OnFailure no ended pod counts any more; under Never only a failed one has cost something, and the Job's counter has it. */
function isPaid(phase: 'Succeeded' | 'Failed' | 'Open', countsRestarts: boolean): boolean {
  return phase === 'Succeeded' || (phase === 'Failed' && countsRestarts);
}

/** The restarts that the Job would count; undefined if the pod is not among those that were read. */
function restartsWith(
  { restarts }: JobCounts,
  pods: ReadonlyMap<string, Reserved>,
  uid: string,
  wanted: Reserved,
): number | undefined {
  if (!restarts.has(uid)) return undefined;
  let sum = 0;
  for (const [each, shown] of restarts) {
    const reserved = each === uid ? wanted : pods.get(each);
    sum += reserved ? Math.max(shown, reserved.before + reserved.more) : shown;
  }
  return sum;
}

function keyOf(job: string): string {
  return `job ${job}`;
}
