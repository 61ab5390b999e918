import type { ContainerOutcome, PodOutcome } from '../model/outcome.ts';
import type { Why } from '../report/history/schema.ts';
import { wordOf } from '../report/html/word.ts';
import type { PodReport, WaitingPodReport } from '../report/schema.ts';
import { describeContainer, describePod } from '../report/texts/outcomes.ts';

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

/** The outcome, and what reports give as its reason; the kubelet's own is no word of ours. */
function kindsOf(outcome: ContainerOutcome | PodOutcome): Pick<Why, 'outcome' | 'reason'> {
  const { kind } = outcome;
  return kind === 'NotStarted' ? { outcome: kind, reason: outcome.reason } : wordOf(outcome);
}
