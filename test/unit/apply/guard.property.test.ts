import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Guard } from '../../../src/apply/guard.ts';
import type { AttemptResult, Observation, PlannedTarget, UncleanExit } from '../../../src/vocabulary.ts';
import { attemptResults, candidate, plannedTarget, steps } from '../../builders/plan.ts';
import { now } from '../../builders/pod-view.ts';

const stuck = candidate();
const methods = ['Http', 'Signal', 'Command'] as const;

/** What a step does to a sidecar: the same to all that have its image and are started like it. */
type Effect =
  | 'EndsClean'
  | 'EndsUnclean'
  | 'EndsLate'
  | 'IsRestarted'
  | 'Ignores'
  | 'IsImmune'
  | 'LacksProgram';
type Method = (typeof methods)[number];
type Truth = (image: string, method: Method, variant: string) => Effect;

interface Pod {
  readonly image: string;
  readonly variant: string;
  /** Its Job has failed pods of this image already. */
  readonly hasHistory: boolean;
  /** Nothing reaches it. */
  readonly isUnreachable: boolean;
}

const pods: fc.Arbitrary<readonly Pod[]> = fc.array(
  fc.record({
    image: fc.constantFrom('a:1', 'b:1'),
    variant: fc.constantFrom('x', 'y', 'z'),
    hasHistory: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    isUnreachable: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Clean ends and unclean ones are both common, so that neither is proved by the absence of the other. */
const effects: fc.Arbitrary<Effect> = fc.constantFrom(
  ...(['EndsClean', 'EndsClean', 'EndsUnclean', 'EndsUnclean', 'IsRestarted'] as const),
  ...(['EndsLate', 'Ignores', 'IsImmune'] as const),
);

/** The true effect of every step on every variant of every image. */
const truths = fc
  .record({
    list: fc.array(effects, { minLength: 18, maxLength: 18 }),
    // A program is in an image or is not, however a container of it is started.
    lacking: fc.option(fc.constantFrom(...methods)),
  })
  .map(
    ({ list, lacking }): Truth =>
      (image, method, variant) => {
        if (method === lacking) return 'LacksProgram';
        const index = ['a:1', 'b:1'].indexOf(image) * 9 + methods.indexOf(method) * 3;
        return list[index + ['x', 'y', 'z'].indexOf(variant)] ?? 'Ignores';
      },
  );

function resultOf(effect: Effect): AttemptResult {
  switch (effect) {
    case 'EndsClean':
    case 'EndsUnclean':
    case 'EndsLate':
    case 'IsRestarted':
    case 'Ignores':
      return attemptResults.Accepted;
    case 'IsImmune':
      return attemptResults.Immune;
    case 'LacksProgram':
      return attemptResults.NoSuchProgram;
  }
}

function endOf(effect: Effect): Observation {
  switch (effect) {
    case 'EndsClean':
      return { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined };
    case 'EndsUnclean':
      return { kind: 'Exited', exitCode: 143, signal: undefined, finishedAt: undefined };
    case 'IsRestarted':
      return { kind: 'Restarted', exitCode: 143, restartCount: 1 };
    // Unclean, and only when its time is over.
    case 'EndsLate':
    case 'Ignores':
    case 'IsImmune':
    case 'LacksProgram':
      return { kind: 'Running' };
  }
}

interface Sweep {
  readonly rule: UncleanExit;
  readonly pods: readonly Pod[];
  readonly truth: Truth;
  readonly stops: boolean;
}

const sweeps = (rule: UncleanExit) =>
  fc.record({ rule: fc.constant(rule), pods, truth: truths, stops: fc.boolean() });

interface Outcome {
  /** The image of each pod that ended with another code than 0. */
  readonly uncleanEnds: readonly string[];
  readonly cleanEnds: number;
  readonly held: number;
  readonly finished: number;
}

/** Sweeps pods of which the scheduler says whose turn it is whenever something has to be waited for. */
async function run(scheduler: fc.Scheduler, { rule, pods, truth, stops }: Sweep): Promise<Outcome> {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const later = (what: string) => scheduler.schedule(Promise.resolve(), what);
  const history = pods.map(({ image, hasHistory }) => (hasHistory ? [image] : []));
  const unclean = new Map<Pod, string>();
  let [cleanEnds, held, finished] = [0, 0, 0];

  const sweepPod = async (pod: Pod, index: number) => {
    const ref = { namespace: 'demo', name: `pod-${index}`, uid: `uid-${index}` };
    const asked = { ...stuck, pod: { ...stuck.pod, ref } };
    const target = plannedTarget({ image: pod.image, variant: pod.variant, containerId: ref.uid });
    for (const method of methods) {
      const permit = await guard.permit(asked, true, target, steps[method]);
      if (permit.kind === 'Held') {
        held++;
        continue;
      }
      const { result, observation } = await send(pod, target, method);
      if (permit.kind === 'Canary') {
        permit.tell(result && { step: steps[method], sentAt: now, duration: 1, result }, observation);
      }
      if (result === undefined || observation.kind !== 'Running') break;
    }
    finished++;
  };

  /** As the sweep does it: a look at the pod, at which a stop is noticed, and then the step. */
  const send = async (
    pod: Pod,
    { image, variant }: PlannedTarget,
    method: Method,
  ): Promise<{ readonly result: AttemptResult | undefined; readonly observation: Observation }> => {
    const nothing: Observation = { kind: 'Running' };
    await later('recheck');
    if (stopping.signal.aborted) return { result: undefined, observation: nothing };
    if (pod.isUnreachable) return { result: attemptResults.Undelivered, observation: nothing };
    const effect = truth(image, method, variant);
    const observation = endOf(effect);
    await later('effect');
    if (observation.kind === 'Exited' && observation.exitCode === 0) cleanEnds++;
    else if (observation.kind !== 'Running' || effect === 'EndsLate') unclean.set(pod, image);
    return { result: resultOf(effect), observation };
  };

  const guard = new Guard(
    rule,
    async () => {
      await later('history');
      return new Set(history.flat());
    },
    stopping.signal,
  );
  const all = pods.map(sweepPod);
  if (stops) void later('stop').then(() => stopping.abort('Signal'));
  await scheduler.waitIdle();
  // Not awaited before: whoever waits for ever would make the test wait as well, instead of failing it.
  if (finished === pods.length) await Promise.all(all);
  return { uncleanEnds: [...unclean.values()], cleanEnds, held, finished };
}

describe('whatever the order of events, and whenever the sweep stops,', () => {
  /** Runs many sweeps; adds up what happened in them. */
  async function forAll(rule: UncleanExit, holds: (outcome: Outcome, sweep: Sweep) => void) {
    const seen = { unclean: 0, clean: 0, held: 0 };
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), sweeps(rule), async (scheduler, sweep) => {
        const outcome = await run(scheduler, sweep);
        seen.unclean += outcome.uncleanEnds.length;
        seen.clean += outcome.cleanEnds;
        seen.held += outcome.held;
        expect(outcome.finished, 'pods for which it is known what became of them').toBe(sweep.pods.length);
        holds(outcome, sweep);
      }),
      { numRuns: 500 },
    );
    return seen;
  }

  it('with `canary` at most one of each image ends unclean', async () => {
    const seen = await forAll('canary', ({ uncleanEnds }) => {
      expect(new Set(uncleanEnds).size).toBe(uncleanEnds.length);
    });
    expect(Math.min(seen.unclean, seen.clean, seen.held)).toBeGreaterThan(100);
  });

  it('with `forbid` none does, and nothing is sent', async () => {
    const seen = await forAll('forbid', ({ uncleanEnds }) => {
      expect(uncleanEnds).toEqual([]);
    });
    expect(seen).toMatchObject({ unclean: 0, clean: 0 });
    expect(seen.held).toBeGreaterThan(100);
  });

  it('with `allow` nobody is held', async () => {
    const seen = await forAll('allow', ({ held }) => {
      expect(held).toBe(0);
    });
    // What `canary` is measured against: without a guard, unclean ends come in numbers.
    expect(seen.unclean).toBeGreaterThan(300);
  });
});
