import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeLock } from '../../../src/lock/lock.ts';
import type { Shard } from '../../../src/model/scope.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { type SteppedClock, steppedClock } from '../../kit/emulator/index.ts';
import { calm, LeaseServer, type Network } from './lease-server.ts';

/** Until all that a sweep had begun when it lost its lease has ended. */
const timeToEnd = 10_000;

const network: fc.Arbitrary<Network> = fc.record({
  there: fc.constantFrom(0, 10, 400, 3_000, 9_000),
  back: fc.constantFrom(0, 10, 400, 3_000),
  fate: fc.constantFrom('Answered', 'Answered', 'Answered', 'Answered', 'RequestLost', 'AnswerLost', 'Busy'),
  timeless: fc.constantFrom(false, false, false, true),
});

/** One sweep: when it begins, how long it has work, and what becomes of its requests, one after the other. */
const sweep = fc.record({
  begins: fc.constantFrom(0, 0, 100, 5_000, 30_000, 70_000, 120_000, 250_000),
  works: fc.constantFrom(1_000, 20_000, 80_000),
  network: fc.array(network, { minLength: 1, maxLength: 40 }),
  /** From then on, none of its requests arrives. */
  cutOff: fc.option(fc.integer({ min: 0, max: 120_000 }), { freq: 2 }),
});
type Sweep = typeof sweep extends fc.Arbitrary<infer T> ? T : never;

/** Several come to act only if most requests are answered. */
const calmer = fc
  .record({ sweep, areCalm: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }) })
  .map(({ sweep, areCalm }): Sweep => {
    const answered: Network = { there: 10, back: 10, fate: 'Answered' };
    const { network } = sweep;
    return {
      ...sweep,
      network: areCalm.map((isCalm, index) => (isCalm && network[index % network.length]) || answered),
    };
  });

const shard: fc.Arbitrary<Shard | undefined> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(undefined, { index: 0, of: 3 }) },
  { weight: 3, arbitrary: fc.constantFrom({ index: 0, of: 2 }, { index: 1, of: 2 }) },
);

interface Acting {
  readonly from: number;
  readonly to: number;
}

async function play(
  { begins, works, network: drawn, cutOff }: Sweep,
  holder: string,
  server: LeaseServer,
  time: SteppedClock,
  shard?: Shard,
): Promise<Acting | undefined> {
  const clock = clockOf(time);
  const { signal: never } = new AbortController();
  await clock.sleep(begins, never);
  const stopping = new AbortController();
  let requests = 0;
  const leases = server.port(() => {
    const one = drawn[requests++ % drawn.length] ?? calm;
    return cutOff !== null && clock.now() >= cutOff ? { ...one, fate: 'RequestLost' } : one;
  });
  const lock = await takeLock({
    leases,
    clock,
    random: () => 0.5,
    lease: { namespace: 'default', name: 'sidecar-sweeper' },
    holder,
    shard,
    stop: never,
    onLost: () => stopping.abort(),
    onUnlocked: () => undefined,
  });
  if (lock.kind === 'Occupied' || lock.kind === 'Unknown') return undefined;
  const from = clock.now();
  await clock.sleep(works, stopping.signal);
  if (stopping.signal.aborted) await clock.sleep(timeToEnd, never);
  const to = clock.now();
  if (lock.kind === 'Taken') await lock.release();
  return { from, to };
}

async function playAll<T>(
  all: readonly T[],
  one: (each: T, index: number, server: LeaseServer, time: SteppedClock) => Promise<Acting | undefined>,
): Promise<readonly (Acting | undefined)[]> {
  const time = steppedClock(0);
  const server = new LeaseServer(clockOf(time));
  let isOver = false;
  const playing = Promise.all(all.map((each, index) => one(each, index, server, time)));
  void playing.finally(() => {
    isOver = true;
  });
  while (!isOver) await time.advance(10_000);
  return playing;
}

function areApart(one: Acting, other: Acting): boolean {
  return one.to <= other.from || other.to <= one.from;
}

it('shards act beside the other shards of their number, and beside nothing else', async () => {
  let beside = 0;
  let apart = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(calmer, shard), { minLength: 3, maxLength: 4 }), async (all) => {
      const acted = await playAll(all, ([each, own], index, server, time) =>
        play(each, `sweep-${index}`, server, time, own),
      );
      for (const [index, one] of acted.entries()) {
        for (const [before, other] of acted.slice(0, index).entries()) {
          if (!one || !other) continue;
          const [ours, theirs] = [all[index]?.[1], all[before]?.[1]];
          const mayMeet = ours && theirs && ours.of === theirs.of && ours.index !== theirs.index;
          if (mayMeet) beside += areApart(one, other) ? 0 : 1;
          else {
            apart++;
            expect(areApart(one, other), JSON.stringify([one, other, ours, theirs])).toBe(true);
          }
        }
      }
    }),
    { numRuns: 700 },
  );
  expect(beside).toBeGreaterThan(50);
  expect(apart).toBeGreaterThan(200);
}, 300_000);

it('two sweeps never act side by side, whatever becomes of their requests', async () => {
  let acted = 0;
  let both = 0;
  await fc.assert(
    fc.asyncProperty(sweep, sweep, async (first, second) => {
      const [one, other] = await playAll([first, second], (each, index, server, time) =>
        play(each, `sweep-${index}`, server, time),
      );
      acted += one || other ? 1 : 0;
      if (!one || !other) return;
      both++;
      expect(areApart(one, other), JSON.stringify([one, other])).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  // The lock is not kept by sweeping nothing.
  expect(acted).toBeGreaterThan(500);
  expect(both).toBeGreaterThan(20);
}, 300_000);
