import { describe, expect, it } from 'vitest';
import { acquire, within } from '../../../src/lock/acquire.ts';
import { judgeLease } from '../../../src/lock/claim.ts';
import type { Lease, LeaseReading, Leases, LeaseWrite } from '../../../src/model/ports.ts';
import { readRetries } from '../../../src/util/retry.ts';
import { unreadable } from '../../builders/cluster.ts';
import { clockOf, whileTimePasses } from '../../builders/stepped-clock.ts';
import { type SteppedClock, steppedClock } from '../../kit/emulator/index.ts';
import { busy, calm, LeaseServer, type Network, silent } from './lease-server.ts';

const lost: Network = { ...calm, fate: 'AnswerLost' };
const distrusted: Network = { ...calm, fate: 'Distrusted' };
const timeless: Network = { ...calm, timeless: true };

/** What comes of it, and after how long, if the requests have this network in turn, the last for ever. */
async function acquireIn(
  networks: readonly Network[],
  stored?: Partial<Lease>,
  whileWaiting?: (server: LeaseServer) => void,
) {
  const time = steppedClock(0);
  const server = new LeaseServer(clockOf(time));
  if (stored)
    server.stored = { holder: 'first', duration: 60_000, renewedAt: 0, resourceVersion: 'a', ...stored };
  if (whileWaiting) time.after(30_000, () => whileWaiting(server));
  let requests = 0;
  const leases = server.port(() => networks[requests++] ?? networks.at(-1) ?? calm);
  return { ...(await acquireOver(leases, time)), requests, server };
}

async function acquireOver(leases: Leases, time: SteppedClock) {
  const acquiring = acquire({
    leases,
    clock: clockOf(time),
    random: () => 0,
    lease: { namespace: 'default', name: 'sidecar-sweeper' },
    holder: 'second',
    stop: new AbortController().signal,
  }).then((acquired) => ({ acquired, took: time.now().getTime() }));
  const { acquired, took } = await whileTimePasses(time, acquiring, 1_000);
  const why = 'problem' in acquired ? acquired.problem.message : undefined;
  return { kind: acquired.kind, why, took };
}

const renewed = (server: LeaseServer) => {
  server.stored = { holder: 'first', duration: 60_000, renewedAt: 30_000, resourceVersion: 'b' };
};
const isOurs = { kind: 'Written', server: { stored: { holder: 'second' } } };

// biome-ignore format: one row a line
it.each<readonly [title: string, expected: object, how: Parameters<typeof acquireIn>]>([
  ['a 503 does not make a lease that is held look free', { kind: 'Occupied' }, [[busy, calm], {}]],
  ['nor does one after it was read', { kind: 'Occupied' }, [[calm, busy, calm], {}]],
  ['a lost answer does not make it look free', { kind: 'Occupied' }, [[lost, calm], {}]],
  ['nor does one after it was read', { kind: 'Occupied' }, [[calm, lost, calm], {}]],
  ['a lease is ours whose creation was not answered', isOurs, [[lost, calm]]],
  ['it is unknown whether one is held that cannot be read', { kind: 'Unknown', requests: readRetries.mostTries }, [[busy]]],
  ['that is what is told, and not that the sweep was stopped', { kind: 'Unknown', why: 'no answer within 5s' }, [[silent]]],
  ['what does not get better by waiting is asked once', { kind: 'Unknown', took: 0, requests: 1 }, [[distrusted]]],
  ['without a Date header, a lease does not look free while its holder renews it', { kind: 'Occupied' }, [[timeless], {}, renewed]],
  ['without one, a lease is taken over that is not renewed for as long as it lasts', { kind: 'Written', took: 60_000 }, [[timeless], {}]],
  ['a lease whose renewal lies in the future is taken over, too', { kind: 'Written', took: 60_000 }, [[calm], { renewedAt: 3_600_000 }]],
  ['without one, a lease that was given back is free', { kind: 'Written', took: 0 }, [[timeless], { holder: '' }]],
])('%s', async (_title, expected, how) => {
  expect(await acquireIn(...how)).toMatchObject(expected);
});

it('a server that is busy to the end delays a sweep by 15 seconds', async () => {
  expect((await acquireIn([busy])).took).toBeLessThanOrEqual(15_000);
});

describe('a lease that another client writes', () => {
  const lease: Lease = { holder: '', duration: 60_000, renewedAt: 0, resourceVersion: 'a' };
  const conflict: LeaseWrite = { kind: 'Conflict' };
  const missing = { kind: 'NotFound', message: 'leases "sidecar-sweeper" not found' } as const;
  const isFree = async () => ({ kind: 'Present', lease, asOf: 0 }) as const;

  /** A server whose Lease is there, and free, unless these answers say otherwise. */
  async function acquireFrom(answers: Partial<Leases>) {
    let tries = 0;
    const createLease = async () => {
      tries++;
      return conflict;
    };
    const leases = { createLease, readLease: isFree, updateLease: async () => conflict, ...answers };
    return { ...(await acquireOver(leases, steppedClock(0))), tries };
  }

  it('whenever it is taken is tried for some seconds, not without end', async () => {
    const { kind, why, took, tries } = await acquireFrom({});
    expect({ kind, why }).toEqual({ kind: 'Unknown', why: 'the Lease changed while it was being taken' });
    expect(tries).toBe(readRetries.mostTries);
    expect(took).toBeGreaterThan(1_000);
  });

  it('once is taken all the same', async () => {
    const written: readonly LeaseWrite[] = [conflict, { kind: 'Written', lease }];
    let writes = 0;
    const updateLease = async () => written[writes++] ?? conflict;
    expect(await acquireFrom({ updateLease })).toMatchObject({ kind: 'Written', tries: 2 });
  });

  it('and deletes is created anew: its namespace exists', async () => {
    const created: readonly LeaseWrite[] = [conflict, { kind: 'Written', lease }];
    for (const deleted of [
      { readLease: async () => ({ kind: 'Unreadable', problem: missing }) as const },
      { updateLease: async () => ({ kind: 'Failed', problem: missing }) as const },
    ]) {
      let creations = 0;
      const createLease = async () => created[creations++] ?? conflict;
      expect(await acquireFrom({ createLease, ...deleted })).toMatchObject({ kind: 'Written' });
    }
  });
});

describe('a lease that the account may not create', () => {
  const forbidden = { kind: 'Forbidden', message: 'cannot create resource "leases"' } as const;
  const held: Lease = { holder: 'first', duration: 60_000, renewedAt: 0, resourceVersion: 'a' };

  const present = (lease: Lease) => ({ kind: 'Present', lease, asOf: 0 }) as const;

  it.each<readonly [title: string, reading: LeaseReading, kind: string]>([
    ['and that another sweep holds is not taken', present(held), 'Occupied'],
    ['and that has been given back is taken', present({ ...held, holder: '' }), 'Written'],
    ['and that does not exist locks nothing', unreadable('NotFound'), 'Unlocked'],
    ['and may not read either locks nothing', unreadable('Forbidden'), 'Unlocked'],
    ['and cannot read at the moment may be held', unreadable('Interrupted'), 'Unknown'],
    ['and cannot make sense of may be held', unreadable('Malformed'), 'Unknown'],
  ])('%s', async (_title, reading, kind) => {
    const leases: Leases = {
      createLease: async () => ({ kind: 'Failed', problem: forbidden }),
      readLease: async () => reading,
      updateLease: async (_ref, lease) => ({ kind: 'Written', lease }),
    };
    const acquired = await acquireOver(leases, steppedClock(0));
    expect(acquired.kind).toBe(kind);
    if (kind === 'Unlocked') expect(acquired.why).toBe(forbidden.message);
  });
});

const renewedAt = Date.parse('2026-11-21T04:00:00Z');
const lease: Lease = { holder: 'laptop', duration: 60_000, renewedAt, resourceVersion: '1' };
const ageUnknown = { kind: 'AgeUnknown', holder: 'laptop' };
const occupied = { kind: 'Occupied', holder: 'laptop' };

it.each<readonly [title: string, lease: Partial<Lease>, now: number | undefined, verdict: object]>([
  ['just renewed is occupied', {}, renewedAt, occupied],
  ['is occupied until its duration is over', {}, renewedAt + 59_999, occupied],
  ['is free when its duration is over', {}, renewedAt + 60_000, { kind: 'Free' }],
  ['that was given back is free', { holder: '' }, renewedAt, { kind: 'Free' }],
  ['with a time that cannot be read is of unknown age', { renewedAt: undefined }, renewedAt, ageUnknown],
  ['without a duration is free', { duration: 0 }, renewedAt, { kind: 'Free' }],
  ['is of unknown age, not free, when the server does not tell the time', {}, undefined, ageUnknown],
  ['that was given back is free whatever the time', { holder: '' }, undefined, { kind: 'Free' }],
])('a lease %s', (_title, changed, now, verdict) => {
  expect(judgeLease({ ...lease, ...changed }, now, { holder: 'second' })).toEqual(verdict);
});

it('aborts work that takes too long, and no other', async () => {
  const time = steppedClock(0);
  const clock = clockOf(time);
  const { signal: stop } = new AbortController();
  const work = (takes: number) =>
    within(1_000, { clock, stop }, async (abort) => {
      await clock.sleep(takes, abort);
      return abort.aborted;
    });
  const both = Promise.all([work(999), work(2_000)]);
  await time.advance(1_000);
  expect(await both).toEqual([false, true]);
});

it.each([
  ['before it begins', -1, 1_000],
  ['while it is under way', 500, 1_500],
  ['when its time is nearly over', 4_500, 5_000],
])('gives work a second after a stop %s', async (_title, stoppedAt, ends) => {
  const time = steppedClock(0);
  const clock = clockOf(time);
  const stop = new AbortController();
  if (stoppedAt < 0) stop.abort();
  else time.after(stoppedAt, () => stop.abort());
  const work = within(5_000, { clock, stop: stop.signal }, async (abort) => {
    await clock.sleep(60_000, abort);
    return time.now().getTime();
  });
  expect(await whileTimePasses(time, work, 100)).toBe(ends);
});
