import fc from 'fast-check';
import type { LightBehaviour } from '../emulator/index.ts';
import type { Scenario } from './random-cluster.ts';

/** Clusters from this seed on have more: the seeds before, of which some are kept, draw the clusters that they always drew. */
export const firstWithExtras = 1_001;

/** And from this seed on, what a real cluster had and the emulator once hid. */
export const firstWithTraits = 30_001;

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

/** What lets two pods of one program end differently, and what a Job counts differently from most. */
export interface JobTraits {
  /** Has no completions: one success is enough, and nothing replaces what fails after it. */
  readonly isWorkQueue: boolean;
  /** Whether it has a backoffLimit besides one for each index. */
  readonly hasBothLimits: boolean;
  /** Whether its environment makes its sidecars end with 143. */
  readonly isBroken: boolean;
  /** After how many milliseconds its sidecars end by themselves; about when the sweep begins, or during it. */
  readonly ownEnd: number | null;
}

interface Traits {
  readonly jobs: readonly JobTraits[];
  /** Which images end with 0 and with 143 in turn. */
  readonly flaky: readonly boolean[];
  /** How many sweeps share the pods of a round, and how much later than the one before each of their requests comes. */
  readonly rounds: readonly { readonly shards: 1 | 2 | 3; readonly latency: number }[];
}

const jobTraits: fc.Arbitrary<JobTraits> = fc.record({
  isWorkQueue: fc.constantFrom(false, false, false, true),
  hasBothLimits: fc.boolean(),
  isBroken: fc.constantFrom(false, false, true),
  ownEnd: fc.constantFrom(null, null, null, 9_000, 10_000, 10_500, 11_000, 13_000, 20_000),
});

export const traits: fc.Arbitrary<Traits> = fc.record({
  jobs: fc.array(jobTraits, { minLength: 6, maxLength: 6 }),
  flaky: fc.array(fc.constantFrom(false, false, true), { minLength: 3, maxLength: 3 }),
  rounds: fc.array(
    fc.record({ shards: fc.constantFrom(1, 1, 2, 3), latency: fc.constantFrom(0, 200, 1_000) }),
    { minLength: 3, maxLength: 3 },
  ),
});

export function withTraits(scenario: Scenario, { jobs, flaky, rounds }: Traits): Scenario {
  const turn = (behaviour: LightBehaviour, image: number): LightBehaviour => {
    const end = behaviour.on?.SIGTERM;
    if (!end || !flaky[image]) return behaviour;
    return { ...behaviour, on: { SIGTERM: { ...end, exitCode: [0, 143] } } };
  };
  return {
    ...scenario,
    images: scenario.images.map((ways, image) => ways.map((behaviour) => turn(behaviour, image))),
    jobs: scenario.jobs.map((job, index) => ({ ...job, ...jobs[index] })),
    rounds: scenario.rounds.map((round, index) => ({ ...round, ...rounds[index] })),
  };
}
