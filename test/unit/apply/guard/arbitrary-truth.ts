import fc from 'fast-check';
import type { Observation } from '../../../../src/model/reading.ts';
import type { PlannedStep } from '../../../../src/plan/sweep-plan.ts';

export const images = ['a:1', 'b:1'] as const;
export const variants = ['x', 'y', 'z'] as const;

/** What decides how a sidecar ends: its image, and how it is started. */
export interface Sidecar {
  readonly image: (typeof images)[number];
  readonly variant: (typeof variants)[number];
}

/** What a step does to a sidecar: the same to all that have its image and are started like it. */
export type Effect =
  | 'EndsClean'
  | 'EndsUnclean'
  /** Unclean, and only when its time is over. */
  | 'EndsLate'
  | 'IsRestarted'
  | 'Ignores'
  | 'IsImmune'
  | 'LacksProgram'
  /** It is swapped for an image that does not start. */
  | 'DoesNotStart';

export type Truth = (step: PlannedStep, sidecar: Sidecar) => Effect;

/** Clean ends and unclean ones are both common, so that neither is proved by the absence of the other. */
const ends = ['EndsClean', 'EndsClean', 'EndsUnclean', 'EndsUnclean'] as const;
const effects = {
  own: fc.constantFrom<Effect[]>(...ends, 'IsRestarted', 'EndsLate', 'Ignores', 'Ignores', 'IsImmune'),
  pod: fc.constantFrom<Effect[]>(...ends, 'IsRestarted', 'EndsLate', 'Ignores'),
  swap: fc.constantFrom<Effect[]>(...ends, 'EndsLate'),
} as const;

const methods = ['Http', 'Signal', 'Command'] as const;
const count = images.length * variants.length;

/** The true effect of every step on every variant of every image. */
export const arbitraryTruth: fc.Arbitrary<Truth> = fc
  .record({
    own: fc.array(effects.own, { minLength: count * methods.length, maxLength: count * methods.length }),
    pod: fc.array(effects.pod, { minLength: count, maxLength: count }),
    swap: fc.array(effects.swap, { minLength: count, maxLength: count }),
    // A program is in an image or is not, however a container of it is started.
    lacking: fc.option(fc.constantFrom(...methods)),
    missing: fc.constantFrom(undefined, 'noop:1', 'noop:2'),
  })
  .map(
    ({ own, pod, swap, lacking, missing }): Truth =>
      (step, { image, variant }) => {
        const place = images.indexOf(image) * variants.length + variants.indexOf(variant);
        switch (step.method) {
          case 'Http':
          case 'Signal':
          case 'Command':
            if (step.method === lacking) return 'LacksProgram';
            return own[place * methods.length + methods.indexOf(step.method)] ?? 'Ignores';
          case 'ImageSwap':
            // What ends is the no-op image's program of that name, whatever was there before.
            if (step.image === missing) return 'DoesNotStart';
            return swap[variants.indexOf(variant)] ?? 'Ignores';
          case 'Tombstone':
          case 'EphemeralContainer':
          case 'Deadline':
          case 'Evict':
          case 'Delete':
            return pod[place] ?? 'Ignores';
        }
      },
  );

/** What is seen of a sidecar when the step's time is over. */
export function seenAfter(effect: Effect): Observation {
  switch (effect) {
    case 'EndsClean':
      return { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined };
    case 'EndsUnclean':
      return { kind: 'Exited', exitCode: 143, signal: undefined, finishedAt: undefined };
    case 'IsRestarted':
      return { kind: 'Restarted', exitCode: 143, restartCount: 1 };
    case 'DoesNotStart':
      return { kind: 'NotStarted', reason: 'ErrImagePull' };
    case 'EndsLate':
    case 'Ignores':
    case 'IsImmune':
    case 'LacksProgram':
      return { kind: 'Running' };
  }
}
