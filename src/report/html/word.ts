import type { ContainerOutcome, PodOutcome } from '../../model/outcome.ts';
import type { Word } from './glossary.ts';

/** The word by which the page explains an outcome. */
export function wordOf(outcome: ContainerOutcome | PodOutcome): Word {
  switch (outcome.kind) {
    case 'StillRunning':
      return outcome.because.kind === 'Held'
        ? { outcome: 'Held', reason: outcome.because.reason }
        : { outcome: 'StillRunning', reason: outcome.because.kind };
    case 'Skipped':
      return { outcome: 'Skipped', reason: outcome.reason.kind };
    case 'Held':
    case 'NotAttempted':
      return { outcome: outcome.kind, reason: outcome.reason };
    case 'Stopped':
    case 'AlreadyEnded':
    case 'Restarted':
    case 'NotStarted':
    case 'Gone':
    case 'Replaced':
    case 'Unproven':
    case 'Ended':
    case 'Stuck':
    case 'Unsettled':
      return { outcome: outcome.kind };
  }
}
