import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { handedOver } from '../../../../src/kube/pods/pages.ts';

it('gives what is handed over, and then the result', async () => {
  const values = handedOver<number, string>(async (hand) => {
    for (const value of [1, 2, 3]) await hand(value);
    return 'done';
  });
  const given: (number | string)[] = [];
  let next = await values.next();
  for (; !next.done; next = await values.next()) given.push(next.value);
  expect([...given, next.value]).toEqual([1, 2, 3, 'done']);
});

it('lets the work go on only when more is wanted', async () => {
  let handed = 0;
  const values = handedOver<number, void>(async (hand) => {
    for (; handed < 3; handed++) await hand(handed);
  });
  await values.next();
  await new Promise(setImmediate);
  expect(handed).toBe(0);
  await values.next();
  expect(handed).toBe(1);
});

it('tells the work when nobody wants more', async () => {
  const signals: boolean[] = [];
  const values = handedOver<number, void>(async (hand, unwanted) => {
    await hand(1);
    signals.push(unwanted.aborted);
  });
  for await (const _ of values) break;
  await new Promise(setImmediate);
  expect(signals).toEqual([true]);
});

it('throws what the work throws', async () => {
  const values = handedOver<number, void>(async (hand) => {
    await hand(1);
    throw new Error('a bug');
  });
  await values.next();
  await expect(values.next()).rejects.toThrow('a bug');
});

it('keeps nothing of what was taken before', async () => {
  const refs: WeakRef<object>[] = [];
  const values = handedOver<object, void>(async (hand) => {
    for (let count = 0; count < 100; count++) await hand({ count });
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
