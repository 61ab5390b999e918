import type { ContainerOutcome } from '../../model/outcome.ts';
import { countKinds } from '../counts.ts';
import { isCap } from '../exit-code.ts';
import type { ContainerReport, PodReport, SweepReport } from '../schema.ts';

/** What became of pods and their sidecars, in numbers. */
export type OutcomeCounts = Pick<
  SweepReport['totals'],
  'pods' | 'sidecars' | 'stillRunning' | 'leftForNext' | 'harm'
>;

export function countOutcomes(pods: readonly PodReport[]): OutcomeCounts {
  const outcomes = pods.flatMap(({ containers }) => containers.flatMap(outcomeOf));
  return {
    pods: countKinds(pods.map(({ outcome }) => outcome.kind)),
    sidecars: countKinds(outcomes.map(({ kind }) => kind)),
    stillRunning: countKinds(
      outcomes.flatMap((outcome) => (outcome.kind === 'StillRunning' ? outcome.because.kind : [])),
    ),
    leftForNext: countKinds(
      pods.flatMap(({ outcome }) =>
        outcome.kind === 'NotAttempted' && isCap(outcome.reason) ? outcome.reason : [],
      ),
    ),
    harm: countKinds(pods.flatMap(({ harm }) => harm?.kind ?? [])),
  };
}

function outcomeOf(container: ContainerReport): readonly ContainerOutcome[] {
  return container.role === 'Sidecar' ? [container.outcome] : [];
}
