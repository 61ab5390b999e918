import fc from 'fast-check';
import type { LightBehaviour, PodFailurePolicyRule } from '../emulator/index.ts';
import type { NoopImage } from './noop-images.ts';
import { grace, randomBehaviour } from './random-behaviour.ts';
import type { JobExtras, JobTraits } from './random-extras.ts';

/** Jobs and pods whose sidecars share a few programs, and the sweeps over them. */
export interface Scenario {
  /** For each image, the behaviour of a sidecar by its arguments. */
  readonly images: readonly (readonly LightBehaviour[])[];
  readonly jobs: readonly RandomJob[];
  readonly rule: 'allow' | 'forbid';
  readonly rounds: readonly Round[];
}

export interface RandomJob extends Partial<JobExtras & JobTraits> {
  /** The sweep that it precedes. */
  readonly comes: number;
  readonly owner: 'Job' | 'Foreign' | 'None';
  readonly pods: number;
  readonly backoffLimit: number;
  readonly restartPolicy: 'Never' | 'OnFailure';
  /** What is counted for each index, if the Job is indexed. */
  readonly indexed: 'No' | 'Plain' | 'LimitPerIndex' | 'SuccessPolicy';
  readonly failureRule: FailureRule | null;
  readonly mainExitCode: number;
  readonly sidecars: readonly RandomSidecar[];
  /** A proxy that the others talk through, whose endpoint may be missing. */
  readonly mesh: 'None' | 'Quits' | 'Signal';
  readonly hasNative: boolean;
}

interface FailureRule {
  readonly action: PodFailurePolicyRule['action'];
  readonly exitCodes: readonly number[];
}

export interface RandomSidecar {
  readonly image: number;
  readonly way: number;
  readonly command: 'Image' | 'Sleep' | 'Own' | 'Mounted';
  readonly restarts: 'Pod' | 'Always' | 'Rule';
  readonly hasPreStop: boolean;
  /** Whether it has Argo's kill command, in addition to signals. */
  readonly hasKillCommand: boolean;
}

/** One sweep, and what others do to the cluster during it. */
export interface Round {
  readonly swap: NoopImage | null;
  readonly lastResort: 'none' | 'ephemeral' | 'swap' | 'deadline' | 'evict' | 'delete';
  readonly vanish: {
    readonly which: number;
    readonly after: number;
    readonly by: RandomRemoval;
  } | null;
  readonly faults: readonly RandomFault[];
  /** After how many milliseconds the sweep is stopped, if it is; the next one begins ten seconds later. */
  readonly stopsAfter?: number;
  /** How many sweeps share its pods, and by how many milliseconds the requests of each come later than those of the one before. */
  readonly shards?: number;
  readonly latency?: number;
}

export type RandomRemoval = 'Delete' | 'Preempt' | 'Evict';

export interface RandomFault {
  readonly subresource: '' | 'exec' | 'portforward';
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly kind: 429 | 503 | 'Drop';
  readonly skip: number;
  readonly times: number;
}

const sidecar: fc.Arbitrary<RandomSidecar> = fc.record({
  image: fc.nat({ max: 2 }),
  way: fc.nat({ max: 1 }),
  command: fc.constantFrom('Image', 'Image', 'Sleep', 'Own', 'Mounted'),
  restarts: fc.constantFrom('Pod', 'Pod', 'Pod', 'Pod', 'Pod', 'Pod', 'Always', 'Rule'),
  hasPreStop: fc.constantFrom(false, false, false, true),
  hasKillCommand: fc.constantFrom(false, false, true),
});

const failureRule: fc.Arbitrary<FailureRule> = fc.record({
  action: fc.constantFrom('Ignore', 'FailJob', 'FailIndex', 'Count'),
  exitCodes: fc.constantFrom([1], [143], [128], [1, 128, 137, 143]),
});

const job: fc.Arbitrary<RandomJob> = fc.record({
  comes: fc.constantFrom(0, 0, 1, 2),
  owner: fc.constantFrom('Job', 'Job', 'Job', 'Job', 'Job', 'Job', 'Foreign', 'None'),
  pods: fc.constantFrom(1, 1, 1, 2, 3, 5, 10),
  backoffLimit: fc.integer({ min: 0, max: 6 }),
  restartPolicy: fc.constantFrom('Never', 'Never', 'OnFailure'),
  indexed: fc.constantFrom('No', 'No', 'No', 'Plain', 'LimitPerIndex', 'SuccessPolicy'),
  failureRule: fc.option(failureRule, { freq: 2 }),
  mainExitCode: fc.constantFrom(0, 0, 0, 0, 0, 7),
  sidecars: fc.array(sidecar, { minLength: 1, maxLength: 2 }),
  mesh: fc.constantFrom('None', 'None', 'None', 'None', 'Quits', 'Signal'),
  hasNative: fc.constantFrom(false, false, false, true),
});

const swap = fc.constantFrom<NoopImage>('HasAll', 'HasAll', 'HasSome', 'SaysSome', 'HasNone', 'Missing');

const round: fc.Arbitrary<Round> = fc.record({
  swap: fc.option(swap, { freq: 2 }),
  lastResort: fc.constantFrom('none', 'none', 'none', 'ephemeral', 'swap', 'deadline', 'evict', 'delete'),
  vanish: fc.option(
    fc.record({
      which: fc.nat({ max: 9 }),
      after: fc.nat({ max: grace * 2 }),
      by: fc.constantFrom<RandomRemoval[]>('Delete', 'Preempt'),
    }),
    { freq: 2 },
  ),
  faults: fc.array(
    fc.record({
      subresource: fc.constantFrom('', 'exec', 'portforward'),
      method: fc.constantFrom('GET', 'PATCH', 'POST'),
      kind: fc.constantFrom<RandomFault['kind']>(429, 503, 'Drop'),
      skip: fc.nat({ max: 5 }),
      times: fc.integer({ min: 1, max: 6 }),
    }),
    { maxLength: 2 },
  ),
});

export const scenario: fc.Arbitrary<Scenario> = fc.record({
  images: fc.array(fc.array(randomBehaviour, { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
  jobs: fc.array(job, { minLength: 2, maxLength: 6 }),
  rule: fc.constantFrom('forbid', 'forbid', 'forbid', 'allow'),
  rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
});
