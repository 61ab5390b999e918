import type { HarmKind } from '../../model/job.ts';
import type { PodRef } from '../../model/pod.ts';
import type { HarmDone } from '../../plan/sweep-event.ts';
import { printable } from '../../util/text.ts';

/** What an Event on a Job, or on a pod without one, says about the harm that a sweep has done. */
export interface HarmNote {
  readonly reason:
    | 'FinishedWorkRunsAgain'
    | 'FinishedIndexFailed'
    | 'FinishedJobFailed'
    | 'FinishedPodFailed';
  readonly type: 'Warning';
  readonly note: string;
}

/** The Event for what a sweep did to a Job: the pod may be gone, and its own Events with it. */
export function toHarmNote({ name }: PodRef, { kind }: HarmDone): HarmNote {
  const note = printable(`the mains of pod ${name} had succeeded, but ${texts[kind]}`);
  return { reason: reasons[kind], type: 'Warning', note };
}

const reasons: Record<HarmKind, HarmNote['reason']> = {
  RunsAgain: 'FinishedWorkRunsAgain',
  IndexFailed: 'FinishedIndexFailed',
  JobFailed: 'FinishedJobFailed',
  PodFailed: 'FinishedPodFailed',
};

const texts: Record<HarmKind, string> = {
  RunsAgain: 'a sweep ended its sidecar uncleanly, so its work runs again',
  IndexFailed: 'a sweep ended its sidecar uncleanly, so its index has failed',
  JobFailed: 'a sweep ended or restarted its sidecar, so the Job has failed',
  PodFailed: 'a sweep ended its sidecar uncleanly, so the pod has failed',
};
