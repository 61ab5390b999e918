import fc from 'fast-check';
import type { Scenario } from './random-cluster.ts';

/** Clusters from this seed on have more: the seeds before, of which some are kept, draw the clusters that they always drew. */
export const firstWithExtras = 1_001;

/** Whether sweeps of this seed are stopped, too: none of those that were kept before there were stops. */
export function hasStops(seed: number): boolean {
  return seed > 1_100 && seed % 3 === 2;
}

/** What a Job and its pods have in addition. */
export interface JobExtras {
  /** If there is one, the Job has a limit for each index. */
  readonly maxFailedIndexes: number | null;
  /** Whether its pods name the secret of the private no-op image. */
  readonly hasPullSecret: boolean;
  /** Whether its sidecars count as started only when a hook has ended. */
  readonly hasPostStart: boolean;
}

interface Extras {
  readonly jobs: readonly JobExtras[];
  readonly rounds: readonly { readonly isPrivate: boolean; readonly evicts: boolean }[];
}

const jobExtras: fc.Arbitrary<JobExtras> = fc.record({
  maxFailedIndexes: fc.constantFrom(null, null, 0, 1),
  hasPullSecret: fc.boolean(),
  hasPostStart: fc.constantFrom(false, false, true),
});

const roundExtras = fc.record({ isPrivate: fc.constantFrom(false, false, true), evicts: fc.boolean() });

export const extras: fc.Arbitrary<Extras> = fc.record({
  jobs: fc.array(jobExtras, { minLength: 6, maxLength: 6 }),
  rounds: fc.array(roundExtras, { minLength: 3, maxLength: 3 }),
});

/** Of each sweep: after how long it is stopped. Nothing follows the last one, which is not. */
export const stops: fc.Arbitrary<readonly (number | null)[]> = fc.array(
  fc.option(fc.nat({ max: 60_000 }), { freq: 4 }),
  { minLength: 3, maxLength: 3 },
);

export function withStops(scenario: Scenario, after: readonly (number | null)[]): Scenario {
  const { rounds } = scenario;
  // Something is to happen after a stop.
  const [first] = rounds;
  const enough = first && rounds.length === 1 ? [first, first, first] : rounds;
  return {
    ...scenario,
    rounds: enough.map((round, index) => {
      const stopsAfter = index === enough.length - 1 ? null : after[index];
      return typeof stopsAfter === 'number' ? { ...round, stopsAfter } : round;
    }),
  };
}

export function enrich(scenario: Scenario, { jobs, rounds }: Extras): Scenario {
  return {
    ...scenario,
    jobs: scenario.jobs.map((job, index) => ({
      ...job,
      ...jobs[index],
      ...(typeof jobs[index]?.maxFailedIndexes === 'number' && { indexed: 'LimitPerIndex' as const }),
    })),
    rounds: scenario.rounds.map((round, index) => ({
      ...round,
      ...(round.swap && rounds[index]?.isPrivate && { swap: 'Private' as const }),
      vanish: round.vanish && { ...round.vanish, ...(rounds[index]?.evicts && { by: 'Evict' as const }) },
    })),
  };
}
