import { expect, it } from 'vitest';
import { takeLock } from '../../../src/lock/lock.ts';
import { clockOf, whileTimePasses } from '../../builders/stepped-clock.ts';
import { steppedClock } from '../../kit/emulator/index.ts';
import { busy, calm, LeaseServer, type Network, silent } from './lease-server.ts';

const hanging = Array.from({ length: 20 }, () => silent);

interface Released {
  readonly took: number;
  /** The holder that the server has; empty if the lease is free. */
  readonly heldBy: string | undefined;
}

async function releaseIn(
  network: readonly Network[],
  { after, isStopped }: { readonly after: number; readonly isStopped: boolean },
): Promise<Released> {
  const time = steppedClock(0);
  const coming: Network[] = [];
  const stop = new AbortController();
  const server = new LeaseServer(clockOf(time));
  const lock = takeLock({
    leases: server.port(() => coming.shift() ?? calm),
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
  coming.push(...network);
  // A renewal may be under way.
  await time.advance(1_000);
  if (isStopped) stop.abort('Signal');
  const began = time.now().getTime();
  const releasing = taken.release().then(() => time.now().getTime() - began);
  const took = await whileTimePasses(time, releasing, 100);
  return { took, heldBy: server.stored?.holder };
}

it.each([0, 14_500])('after a stop, a hanging server delays nothing: %i ms after the lock', async (after) => {
  const { took } = await releaseIn(hanging, { after, isStopped: true });
  expect(took).toBeLessThanOrEqual(1_000);
});

it.each([0, 14_500])('else it gets 5 s, whatever is under way: %i ms after the lock', async (after) => {
  const { took } = await releaseIn(hanging, { after, isStopped: false });
  expect(took).toBeLessThanOrEqual(5_000);
});

it.each<readonly [string, number, readonly Network[]]>([
  ['at once', 0, [calm]],
  ['by a server that is busy twice', 0, [busy, busy]],
  ['although the answer to a renewal never comes', 14_500, [{ ...calm, fate: 'AnswerLost' }]],
  ['although a renewal never arrives', 14_500, [silent]],
])('the next sweep need not wait until the lease runs out: freed %s', async (_title, after, network) => {
  const { took, heldBy } = await releaseIn(network, { after, isStopped: false });
  expect(heldBy).toBe('');
  expect(took).toBeLessThan(2_000);
});
