import type { PodConclusion, TargetConclusion } from '../../plan/sweep-event.ts';
import { printable } from '../../util/text.ts';
import { describeContainer, describeJob, describePod } from '../texts/outcomes.ts';

/** What an Event on a pod says about its sweep. */
export interface PodNote {
  readonly reason: 'SidecarStopped' | 'SidecarNotStopped' | 'SidecarBlocked';
  readonly type: 'Normal' | 'Warning';
  readonly note: string;
}

/** The API server accepts up to 1024 bytes, and a character has up to four. */
const mostCharacters = 250;

/** The Event for a pod's conclusion; undefined if nothing was done about the pod, or it no longer exists. */
export function toPodNote({ targets, outcome }: PodConclusion): PodNote | undefined {
  const sidecars = targets.map(describeTarget).join('; ');
  const note = (text: string) => printable(text, mostCharacters);
  switch (outcome.kind) {
    case 'Ended': {
      const job = describeJob(outcome.job);
      const after = `the pod is ${outcome.phase}${job === '' ? '' : `, its Job ${job}`}`;
      return { reason: 'SidecarStopped', type: 'Normal', note: note(`${sidecars}; ${after}`) };
    }
    case 'Unsettled':
      return { reason: 'SidecarStopped', type: 'Normal', note: note(sidecars) };
    case 'Blocked':
      return { reason: 'SidecarBlocked', type: 'Warning', note: note(sidecars) };
    case 'Stuck':
    case 'Skipped':
    case 'Unproven':
      return {
        reason: 'SidecarNotStopped',
        type: 'Warning',
        note: note(`${sidecars}; the pod is ${describePod(outcome)}`),
      };
    case 'Gone':
    case 'Replaced':
    case 'NotAttempted':
      return undefined;
  }
}

function describeTarget({ container, outcome }: TargetConclusion): string {
  return `${container} ${describeContainer(outcome)}`;
}
