import fc from 'fast-check';
import type { LightBehaviour, PodFailurePolicyRule } from '../emulator/index.ts';
import type { NoopImage } from './noop-images.ts';

/** Jobs and pods whose sidecars share a few programs, and the sweeps over them. */
export interface Scenario {
  /** For each image, the behaviour of a sidecar by its arguments. */
  readonly images: readonly (readonly LightBehaviour[])[];
  readonly jobs: readonly RandomJob[];
  readonly rule: 'allow' | 'forbid';
  readonly rounds: readonly Round[];
}

export interface RandomJob {
  /** The sweep that it precedes. */
  readonly comes: number;
  readonly owner: 'Job' | 'Foreign' | 'None';
  readonly pods: number;
  readonly backoffLimit: number;
  readonly restartPolicy: 'Never' | 'OnFailure';
  /** What is counted for each index, if the Job is indexed. */
  readonly indexed: 'No' | 'Plain' | 'LimitPerIndex' | 'SuccessPolicy';
  readonly maxFailedIndexes: number | null;
  /** Whether it has a backoffLimit besides one for each index. */
  readonly hasBothLimits: boolean;
  /** Has no completions: one success is enough, and nothing replaces what fails after it. */
  readonly isWorkQueue: boolean;
  readonly failureRule: FailureRule | null;
  readonly mainExitCode: number;
  readonly sidecars: readonly RandomSidecar[];
  /** Whether its environment makes its sidecars end with 143. */
  readonly isBroken: boolean;
  /** After how many milliseconds its sidecars end by themselves; about when the sweep begins, or during it. */
  readonly ownEnd: number | null;
  /** Whether its sidecars count as started only when a hook has ended. */
  readonly hasPostStart: boolean;
  /** Whether its pods name the secret of the private no-op image. */
  readonly hasPullSecret: boolean;
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
    readonly by: 'Delete' | 'Preempt' | 'Evict';
  } | null;
  readonly faults: readonly RandomFault[];
  /** After how many milliseconds the sweep is stopped, if it is; the next one begins ten seconds later. */
  readonly stopsAfter: number | null;
  /** How many sweeps share its pods, and by how many milliseconds the answers to each come later than those to the one before. */
  readonly shards: number;
  readonly latency: number;
}

export interface RandomFault {
  readonly subresource: '' | 'exec' | 'portforward';
  readonly method: 'GET' | 'PATCH' | 'POST';
  /** `Cut` is an upgrade that breaks off. */
  readonly kind: 429 | 500 | 503 | 'Drop' | 'Cut';
  readonly skip: number;
  readonly times: number;
}

/** The grace period in milliseconds of the cluster's clock. */
export const grace = 3_000;

/** Some end with another code each time. */
const exitCode = fc.constantFrom<number | number[]>(0, 0, 0, 1, 143, 143, [0, 143], [0, 143]);
/** Delays of an end: none, short, or longer than any wait. */
const after = fc.constantFrom(0, 100, 1_000, grace * 2, grace * 6);
const end = fc.record({ exitCode, after });

/** How a sidecar takes TERM: most end by it, some ignore it, some have no shell to send it from. */
const behaviour: fc.Arbitrary<LightBehaviour> = fc.oneof(
  { weight: 6, arbitrary: end.map((SIGTERM) => ({ on: { SIGTERM } })) },
  { weight: 1, arbitrary: fc.constant({ on: {} }) },
  { weight: 1, arbitrary: end.map((SIGTERM) => ({ on: { SIGTERM }, shell: false as const })) },
);

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
  indexed: fc.constantFrom('No', 'No', 'No', 'Plain', 'LimitPerIndex', 'LimitPerIndex', 'SuccessPolicy'),
  maxFailedIndexes: fc.constantFrom(null, null, 0, 1),
  hasBothLimits: fc.boolean(),
  isWorkQueue: fc.constantFrom(false, false, false, true),
  failureRule: fc.option(failureRule, { freq: 2 }),
  mainExitCode: fc.constantFrom(0, 0, 0, 0, 0, 7),
  sidecars: fc.array(sidecar, { minLength: 1, maxLength: 2 }),
  isBroken: fc.constantFrom(false, false, true),
  ownEnd: fc.constantFrom(null, null, null, 9_000, 10_000, 10_500, 11_000, 13_000, 20_000),
  hasPostStart: fc.constantFrom(false, false, true),
  hasPullSecret: fc.boolean(),
  mesh: fc.constantFrom('None', 'None', 'None', 'None', 'Quits', 'Signal'),
  hasNative: fc.constantFrom(false, false, false, true),
});

const noop = fc.constantFrom<NoopImage>(
  ...(['HasAll', 'HasAll', 'HasSome', 'SaysSome', 'HasNone', 'Missing', 'Private', 'Private'] as const),
);

const round: fc.Arbitrary<Round> = fc.record({
  swap: fc.option(noop, { freq: 2 }),
  lastResort: fc.constantFrom('none', 'none', 'none', 'ephemeral', 'swap', 'deadline', 'evict', 'delete'),
  vanish: fc.option(
    fc.record({
      which: fc.nat({ max: 9 }),
      after: fc.nat({ max: grace * 2 }),
      by: fc.constantFrom('Delete', 'Preempt', 'Evict', 'Evict'),
    }),
    { freq: 2 },
  ),
  faults: fc.array(
    fc.record({
      subresource: fc.constantFrom('', 'exec', 'portforward'),
      method: fc.constantFrom('GET', 'PATCH', 'POST'),
      kind: fc.constantFrom<RandomFault['kind']>(429, 500, 503, 'Drop', 'Cut'),
      skip: fc.nat({ max: 5 }),
      times: fc.integer({ min: 1, max: 6 }),
    }),
    { maxLength: 2 },
  ),
  stopsAfter: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat({ max: 60_000 }) },
  ),
  shards: fc.constantFrom(1, 1, 2, 3),
  latency: fc.constantFrom(0, 200, 1_000),
});

/** Nothing follows the last sweep, so it is not stopped. */
const rounds = fc
  .array(round, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((one, index) => (index === all.length - 1 ? { ...one, stopsAfter: null } : one)));

const scenario: fc.Arbitrary<Scenario> = fc.record({
  images: fc.array(fc.array(behaviour, { minLength: 2, maxLength: 2 }), { minLength: 3, maxLength: 3 }),
  jobs: fc.array(job, { minLength: 2, maxLength: 6 }),
  rule: fc.constantFrom('forbid', 'forbid', 'forbid', 'allow'),
  rounds,
});

export function drawScenario(seed: number): Scenario {
  const [drawn] = fc.sample(scenario, { seed, numRuns: 1 });
  if (!drawn) throw new Error(`nothing was drawn for seed ${seed}`);
  return drawn;
}
