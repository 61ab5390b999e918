import { expect, it } from 'vitest';
import { Issuer, SharedRun } from '../../../../src/kube/auth/issuer.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';

const never = new AbortController().signal;

function numbering(validFor?: number) {
  const stepped = steppedClock(Date.parse('2026-11-22T04:00:00Z'));
  const clock = clockOf(stepped);
  let asked = 0;
  const issuer = new Issuer(async () => {
    const expires = validFor === undefined ? undefined : clock.now() + validFor;
    return { token: String(++asked), certificate: undefined, expires };
  }, clock);
  return { stepped, issuer, token: async () => (await issuer.current(never)).token };
}

it('a credential is used until it expires', async () => {
  const { stepped, token } = numbering(60_000);
  expect([await token(), await token()]).toEqual(['1', '1']);
  await stepped.advance(59_999);
  expect(await token()).toBe('1');
  await stepped.advance(1);
  expect(await token()).toBe('2');
});

it('one that is expired when it comes is used once, as in kubectl', async () => {
  const { token } = numbering(-1);
  expect([await token(), await token()]).toEqual(['1', '2']);
});

it('one that was refused is replaced, but a server that refuses every one does not start a plugin each time', async () => {
  const { stepped, issuer, token } = numbering();
  expect(await token()).toBe('1');
  issuer.forget();
  expect(await token()).toBe('2');
  issuer.forget();
  expect(await token()).toBe('2');
  await stepped.advance(30_000);
  issuer.forget();
  expect(await token()).toBe('3');
});

/** Work that ends when the test says so. */
function controlled() {
  const runs: { readonly finish: (result: string) => void; readonly stop: AbortSignal }[] = [];
  const shared = new SharedRun<string>(
    (stop) =>
      new Promise((finish, reject) => {
        runs.push({ finish, stop });
        stop.addEventListener('abort', () => reject(stop.reason));
      }),
  );
  return { runs, shared };
}

const turn = () => new Promise(setImmediate);

it('forty who wait share one run, and who comes later starts another', async () => {
  const { runs, shared } = controlled();
  const results = Array.from({ length: 40 }, () => shared.join(never));
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.finish('done');
  expect(await Promise.all(results)).toEqual(Array(40).fill('done'));
  const later = shared.join(never);
  await turn();
  runs[1]?.finish('again');
  expect(await later).toBe('again');
});

it('an aborted caller leaves at once, and the last one to leave stops the run', async () => {
  const { runs, shared } = controlled();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = [one, other].map(({ signal }) => shared.join(signal).catch(() => 'left'));
  await turn();
  one.abort();
  expect(await results[0]).toBe('left');
  expect(runs[0]?.stop.aborted).toBe(false);
  other.abort();
  expect(await results[1]).toBe('left');
  expect(runs[0]?.stop.aborted).toBe(true);
});

it('a run that was stopped has ended before the next one starts', async () => {
  let ended = false;
  let startedAfter: boolean | undefined;
  const shared = new SharedRun(async (stop) => {
    if (ended) startedAfter = ended;
    else await new Promise((resolve) => stop.addEventListener('abort', resolve));
    await turn();
    ended = true;
  });
  const leaving = new AbortController();
  const first = shared.join(leaving.signal).catch(() => undefined);
  await turn();
  leaving.abort();
  await first;
  await shared.join(never);
  expect(startedAfter).toBe(true);
});

it('nothing starts for a caller that was aborted before', async () => {
  const { runs, shared } = controlled();
  await expect(shared.join(AbortSignal.abort())).rejects.toThrow();
  await turn();
  expect(runs).toEqual([]);
});
