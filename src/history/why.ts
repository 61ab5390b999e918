import type { Why } from '../report/history/schema.ts';
import type { PodReport, WaitingPodReport } from '../report/schema.ts';
import { describeContainer, describePod } from '../report/texts/outcomes.ts';
import type { ContainerOutcome, PodOutcome } from '../vocabulary.ts';

/** Why a sweep left a pod stuck: as the first of its sidecars that did not end tells it. */
export function whyStuck({ outcome, containers }: PodReport): Why {
  for (const container of containers) {
    if (container.role !== 'Sidecar' || hasEnded(container.outcome)) continue;
    const { advice } = container;
    const words = describeContainer(container.outcome);
    return { ...kindsOf(container.outcome), words, ...(advice !== undefined && { advice }) };
  }
  return { ...kindsOf(outcome), words: describePod(outcome) };
}

export function whyWaiting({ waiting }: WaitingPodReport, outcome: 'NeverStarted' | 'NotStartedAgain'): Why {
  const reasons = [...new Set(waiting.map(({ reason }) => reason))].join(', ');
  const words = outcome === 'NeverStarted' ? 'never started' : 'ended, and does not start again';
  return { outcome, ...(reasons !== '' && { reason: reasons }), words: `${words}: ${reasons}` };
}

function hasEnded({ kind }: ContainerOutcome): boolean {
  return kind === 'Stopped' || kind === 'AlreadyEnded';
}

/** The outcome, and what reports give as its reason. */
function kindsOf(outcome: ContainerOutcome | PodOutcome): Pick<Why, 'outcome' | 'reason'> {
  switch (outcome.kind) {
    case 'StillRunning':
      return outcome.because.kind === 'Held'
        ? { outcome: 'Held', reason: outcome.because.reason }
        : { outcome: outcome.kind, reason: outcome.because.kind };
    case 'Skipped':
      return { outcome: outcome.kind, reason: outcome.reason.kind };
    case 'Held':
    case 'NotAttempted':
    case 'NotStarted':
      return { outcome: outcome.kind, reason: outcome.reason };
    case 'Stopped':
    case 'AlreadyEnded':
    case 'Restarted':
    case 'Gone':
    case 'Replaced':
    case 'Unproven':
    case 'Ended':
    case 'Stuck':
    case 'Unsettled':
      return { outcome: outcome.kind };
  }
}
