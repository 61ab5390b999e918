import type { JobCounts } from '../../facts/job-facts.ts';
import type { BlockedReason } from '../../model/outcome.ts';
import type { PodView } from '../../model/pod.ts';
import type { UncleanCost } from '../../model/step.ts';
import type { Millis } from '../../util/time.ts';

/** A step that is ready to be sent, with all that gates decide by; plain data. */
export interface SendRequest {
  /** Unique in a sweep. */
  readonly id: string;
  readonly pod: PodView;
  /** The key of the Job that owns the pod; undefined if none does. */
  readonly job: string | undefined;
  /** The cost if the step ends a sidecar unclean. */
  readonly cost: UncleanCost['kind'];
  /** The promises that the step relies on, if an unclean end would cost something that is not allowed. */
  readonly promises: readonly string[];
  /** How many restarts the step adds to those that the Job counts under OnFailure. */
  readonly restarts: number;
  /** Whether the operator lets the Job fail rather than leave it stuck. */
  readonly mayFailJob: boolean;
  /** The node whose kubelet the API server passes the request on to; undefined if there is none. */
  readonly node: string | undefined;
}

export type Answer =
  | { readonly kind: 'Open' }
  /** Whatever frees this key opens the gate. */
  | { readonly kind: 'Wait'; readonly key: string }
  /** The Job's counts are missing or too old to decide by. */
  | { readonly kind: 'Stale' }
  | {
      readonly kind: 'Never';
      readonly reason: BlockedReason;
      /** The backoffLimit that would allow the step, if nothing else does. */
      readonly raiseTo?: number;
    }
  /** The node is not asked any more. */
  | { readonly kind: 'NodeLost' };

/** The result of a request. Every request settles as Over, and every pod as Left, once, or twice if it lingered. */
export type Settled =
  /** The request has its answer; `reached` is undefined if it does not show whether the kubelet was reached. */
  | { readonly kind: 'Answered'; readonly reached: boolean | undefined }
  /** The step is over: how the sidecars ended, as far as it was seen in time. */
  | { readonly kind: 'Over'; readonly end: StepEnd }
  /** The pod is concluded. */
  | { readonly kind: 'Left'; readonly phase: 'Succeeded' | 'Failed' | 'Open' };

/**
 * Clean: with 0; Unclean: with another code; Killed: by KILL, as when a node runs out of memory; NotStarted: the no-op image cannot be
 * started; Pending: the kubelet has not carried out a swap yet; Unseen: it may have worked, but no end was seen; NotSent:
 * nothing arrived, or the sidecar had ended by itself.
 */
export type StepEnd = 'Clean' | 'Unclean' | 'Killed' | 'NotStarted' | 'Pending' | 'Unseen' | 'NotSent';

/** A table that decides when requests may be sent; synchronous, and without I/O. */
export interface Gate {
  ask(request: SendRequest, counts: JobCounts | undefined, now: Millis): Answer;
  /** Called only after every gate answered Open, with nothing in between. */
  reserve(request: SendRequest, counts: JobCounts | undefined): void;
  /** Returns the keys that may be open now. */
  settle(request: SendRequest, settled: Settled, now: Millis): readonly string[];
}

const open: Answer = { kind: 'Open' };

/** Asks all gates: either every one reserves, or none does. While the Job is read, those before its gate keep the place. */
export function askAll(
  gates: readonly Gate[],
  request: SendRequest,
  counts: JobCounts | undefined,
  now: Millis,
): Answer {
  for (const [index, gate] of gates.entries()) {
    const answer = gate.ask(request, counts, now);
    if (answer.kind === 'Stale') for (const before of gates.slice(0, index)) before.reserve(request, counts);
    if (answer.kind !== 'Open') return answer;
  }
  for (const gate of gates) gate.reserve(request, counts);
  return open;
}
