import { expect, it } from 'vitest';
import { SharedRun } from '../../../../src/kube/credentials/shared-run.ts';

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

const never = new AbortController().signal;
const turn = () => new Promise(setImmediate);

it('forty who wait share one run', async () => {
  const { runs, shared } = controlled();
  const results = Array.from({ length: 40 }, () => shared.join(never));
  await turn();
  expect(runs).toHaveLength(1);
  runs[0]?.finish('done');
  expect(await Promise.all(results)).toEqual(Array(40).fill('done'));
});

it('who comes later starts another run', async () => {
  const { runs, shared } = controlled();
  const first = shared.join(never);
  await turn();
  runs[0]?.finish('first');
  await first;
  const second = shared.join(never);
  await turn();
  runs[1]?.finish('second');
  expect(await second).toBe('second');
});

it('whoever is aborted leaves at once, and the last one to leave stops the run', async () => {
  const { runs, shared } = controlled();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = [shared.join(one.signal), shared.join(other.signal)].map((each) =>
    each.catch(() => 'left'),
  );
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

it('nothing starts for somebody who was aborted before', async () => {
  const { runs, shared } = controlled();
  await expect(shared.join(AbortSignal.abort())).rejects.toThrow();
  await turn();
  expect(runs).toEqual([]);
});
