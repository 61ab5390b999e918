import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { generate } from '../../../../src/kube/pods/pages.ts';

it('gives each value, and then the result', async () => {
  const values = generate<number, string>(async (give) => {
    for (const value of [1, 2, 3]) await give(value);
    return 'done';
  });
  const given: (number | string)[] = [];
  let next = await values.next();
  for (; !next.done; next = await values.next()) given.push(next.value);
  expect([...given, next.value]).toEqual([1, 2, 3, 'done']);
});

it('lets the work go on only when more is wanted', async () => {
  let handed = 0;
  const values = generate<number, void>(async (give) => {
    for (; handed < 3; handed++) await give(handed);
  });
  await values.next();
  await new Promise(setImmediate);
  expect(handed).toBe(0);
  await values.next();
  expect(handed).toBe(1);
});

it('tells the work when no more is wanted', async () => {
  const signals: boolean[] = [];
  const values = generate<number, void>(async (give, unwanted) => {
    await give(1);
    signals.push(unwanted.aborted);
  });
  for await (const _ of values) break;
  await new Promise(setImmediate);
  expect(signals).toEqual([true]);
});

it('throws what the work throws', async () => {
  const values = generate<number, void>(async (give) => {
    await give(1);
    throw new Error('a bug');
  });
  await values.next();
  await expect(values.next()).rejects.toThrow('a bug');
});

it('keeps nothing of what was taken before', async () => {
  const refs: WeakRef<object>[] = [];
  const values = generate<object, void>(async (give) => {
    for (let count = 0; count < 100; count++) await give({ count });
  });
  for (let count = 0; count < 90; count++) {
    const { value } = await values.next();
    if (value) refs.push(new WeakRef(value));
  }
  setFlagsFromString('--expose-gc');
  await new Promise(setImmediate);
  runInNewContext('gc')();
  expect(refs).toHaveLength(90);
  // The last one may still be on the stack.
  expect(refs.filter((ref) => ref.deref()).length).toBeLessThan(5);
});
