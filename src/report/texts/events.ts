import type { PodOutcome } from '../../model/outcome.ts';
import type { PodRef } from '../../model/pod.ts';
import type { HarmDone, PodConclusion } from '../../plan/sweep-event.ts';
import { printable } from '../../util/text.ts';
import { describeContainer, describeEnd, describeHarm } from './outcomes.ts';

/** The API server accepts up to 1024 bytes, and a character has up to four. */
const mostCharacters = 250;

/** The Event for a pod's conclusion; undefined if nothing was done about the pod, or it no longer exists. */
export function toPodNote({ targets, outcome, mainFailed }: PodConclusion) {
  const reason = reasons[outcome.kind];
  if (reason === undefined) return undefined;
  const each = targets.map(({ container, outcome }) => `${container} ${describeContainer(outcome)}`);
  const note = printable([...each, `pod ${describeEnd(outcome, mainFailed)}`].join('; '), mostCharacters);
  return { reason, type: reason === 'SidecarStopped' ? 'Normal' : 'Warning', note } as const;
}

const reasons = {
  Ended: 'SidecarStopped',
  Unsettled: 'SidecarStopped',
  Blocked: 'SidecarBlocked',
  Stuck: 'SidecarNotStopped',
  Skipped: 'SidecarNotStopped',
  Unproven: 'SidecarNotStopped',
  Gone: undefined,
  Replaced: undefined,
  NotAttempted: undefined,
} as const satisfies Record<PodOutcome['kind'], string | undefined>;

/** The Event for what a sweep did to a Job or, without one, to a pod: it may be gone, and its own Events with it. */
export function toHarmNote({ name }: PodRef, harm: HarmDone) {
  const { kind } = harm;
  const what = `${kind === 'PodFailed' ? 'it' : 'its Job'} ${describeHarm(harm)}`;
  return {
    reason: `Finished${kind === 'RunsAgain' ? 'WorkRunsAgain' : kind}`,
    type: 'Warning',
    note: printable(`the mains of pod ${name} had succeeded, but because of a sweep ${what}`),
  } as const;
}
