import type { Millis } from '../../duration.ts';
import type { ContainerState } from '../../vocabulary/container.ts';
import type { Hang } from '../../vocabulary/hang.ts';
import type { ExclusionKind, Subject } from '../checks/subject.ts';

/** Looks for one way in which a pod hangs for a reason that a sweep does not cure. */
export interface HangCheck {
  /** What such a pod is left alone for as well. If there is any other reason, that one counts, and nothing is looked for. */
  readonly entails: readonly ExclusionKind[];
  /** What the pod hangs on, if it has done so for at least `minAge`. */
  find(subject: Subject, now: Millis, minAge: Millis): FoundHang | undefined;
}

export interface FoundHang {
  readonly hang: Hang;
  readonly since: Millis;
}

/** Since when a container runs, if it has done so for that long; undefined if not, or if the time is missing or in the future. */
export function runningSince(state: ContainerState, now: Millis, least: Millis): Millis | undefined {
  const since = state.kind === 'Running' ? state.startedAt : undefined;
  return since !== undefined && now - since >= least ? since : undefined;
}
