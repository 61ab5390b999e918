import { expect, it } from 'vitest';
import { Shared } from '../../../../src/kube/auth/issuer.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';

const never = new AbortController().signal;

function numbering(validFor = 3_600_000) {
  const stepped = steppedClock(Date.parse('2026-11-22T04:00:00Z'));
  const clock = clockOf(stepped);
  let asked = 0;
  const read = async () => ({ value: ++asked, until: clock.now() + validFor });
  const issuer = new Shared(read, clock, 30_000);
  return { stepped, issuer, token: () => issuer.current(never) };
}

it('a credential is used until it expires', async () => {
  const { stepped, token } = numbering(60_000);
  expect([await token(), await token()]).toEqual([1, 1]);
  await stepped.advance(59_999);
  expect(await token()).toBe(1);
  await stepped.advance(1);
  expect(await token()).toBe(2);
});

it('one that is expired when it comes is used once, as in kubectl', async () => {
  const { token } = numbering(-1);
  expect([await token(), await token()]).toEqual([1, 2]);
});

it('one that was refused is replaced, but a server that refuses every one does not start a plugin each time', async () => {
  const { stepped, issuer, token } = numbering();
  expect(await token()).toBe(1);
  issuer.forget();
  expect(await token()).toBe(2);
  issuer.forget();
  expect(await token()).toBe(2);
  await stepped.advance(30_000);
  issuer.forget();
  expect(await token()).toBe(3);
});

/** Reads that end when the test says so. */
function controlled() {
  const runs: ((result: string) => void)[] = [];
  const read = () => new Promise<string>((finish) => runs.push(finish));
  const clock = clockOf(steppedClock());
  return { runs, shared: new Shared(async () => ({ value: await read(), until: clock.now() }), clock) };
}

it('forty who wait share one run, and who comes later starts another', async () => {
  const { runs, shared } = controlled();
  const results = Array.from({ length: 40 }, () => shared.current(never));
  expect(runs).toHaveLength(1);
  runs[0]?.('done');
  expect(await Promise.all(results)).toEqual(Array(40).fill('done'));
  const later = shared.current(never);
  runs[1]?.('again');
  expect(await later).toBe('again');
});

it('a login that takes longer than its only caller waits is there for the next try', async () => {
  const { runs, shared } = controlled();
  const impatient = new AbortController();
  const first = shared.current(impatient.signal).catch(() => 'left');
  impatient.abort();
  expect(await first).toBe('left');
  const second = shared.current(never);
  runs[0]?.('done');
  expect(await second).toBe('done');
  expect(runs).toHaveLength(1);
});

it('nothing starts for a caller that was aborted before', async () => {
  const { runs, shared } = controlled();
  await expect(shared.current(AbortSignal.abort())).rejects.toThrow();
  expect(runs).toEqual([]);
});
