import { expect, it } from 'vitest';
import { takeLock } from '../../../src/lock/lock.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../emulator/index.ts';
import { LeaseServer, type Weather } from './lease-server.ts';

const calm: Weather = { there: 0, back: 0, fate: 'Answered' };
const silent: Weather = { ...calm, fate: 'RequestLost' };

/** How long a release takes of a server that hangs from this time on, in milliseconds. */
async function releaseWhenSilent(isStopped: boolean, after: number): Promise<number> {
  const time = steppedClock(0);
  let weather = calm;
  const stop = new AbortController();
  const lock = takeLock({
    leases: new LeaseServer(clockOf(time)).port(() => weather),
    clock: clockOf(time),
    random: () => 0,
    lease: { namespace: 'default', name: 'sidecar-sweeper' },
    holder: 'ours',
    stop: stop.signal,
    onLost: () => expect.fail('the lock was lost'),
    onUnlocked: () => expect.fail('nothing keeps others out'),
  });
  await time.advance(after);
  const taken = await lock;
  if (taken.kind !== 'Taken') expect.fail(taken.kind);
  weather = silent;
  // A renewal may be under way.
  await time.advance(1_000);
  if (isStopped) stop.abort('Signal');
  const began = time.now().getTime();
  let took: number | undefined;
  void taken.release().then(() => {
    took = time.now().getTime() - began;
  });
  while (took === undefined) await time.advance(100);
  return took;
}

it.each([0, 14_500])(
  'after a stop, a server that hangs holds nobody up: %i ms after the lock was taken',
  async (after) => {
    expect(await releaseWhenSilent(true, after)).toBeLessThanOrEqual(1_000);
  },
);

it.each([0, 14_500])(
  'else it gets five seconds, whatever is under way: %i ms after the lock was taken',
  async (after) => {
    expect(await releaseWhenSilent(false, after)).toBeLessThanOrEqual(5_000);
  },
);
