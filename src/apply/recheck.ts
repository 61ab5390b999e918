import { judge } from '../judge/judge.ts';
import type { Candidate, PodReading, PodRef, Problem, SkipReason, StopReason } from '../vocabulary.ts';
import { type ApplyContext, stopReason } from './context.ts';

/** What a pod is, read again just before something is sent to it. */
export type Rechecked =
  | { readonly kind: 'Candidate'; readonly candidate: Candidate; readonly reading: PodReading }
  /** It is not what it was when it was judged. */
  | { readonly kind: 'Stale'; readonly reason: SkipReason; readonly reading: PodReading }
  | { readonly kind: 'Absent'; readonly reading: PodReading }
  | { readonly kind: 'Unread'; readonly problem: Problem }
  | { readonly kind: 'Stopped'; readonly reason: StopReason };

/** Reads a pod and judges it once more. Exec has no precondition on the uid: this read is as near as it gets. */
export async function recheck(ref: PodRef, context: ApplyContext): Promise<Rechecked> {
  const { cluster, policy, facts, stop, cut } = context;
  if (stop.aborted) return { kind: 'Stopped', reason: stopReason(stop) };
  const reading = await cluster.readPod(ref, cut);
  if (stop.aborted) return { kind: 'Stopped', reason: stopReason(stop) };
  switch (reading.kind) {
    case 'Gone':
    case 'Replaced':
      return { kind: 'Absent', reading };
    case 'Unreadable':
      return { kind: 'Unread', problem: reading.problem };
    case 'Present': {
      const verdict = judge(reading.pod, policy, reading.asOf, facts);
      switch (verdict.kind) {
        case 'Candidate':
          return { kind: 'Candidate', candidate: verdict, reading };
        case 'NeverStarted': {
          const because = [{ kind: 'NotRunning', phase: reading.pod.phase } as const];
          return { kind: 'Stale', reason: { kind: 'NoLongerCandidate', because }, reading };
        }
        case 'Undecided':
          return { kind: 'Stale', reason: { kind: 'Undecided', problem: verdict.problem }, reading };
        case 'Excluded':
          return { kind: 'Stale', reason: { kind: 'NoLongerCandidate', because: verdict.because }, reading };
      }
    }
  }
}
