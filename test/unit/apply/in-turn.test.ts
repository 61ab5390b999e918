import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurn } from '../../../src/apply/in-turn.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import { planOf } from './guard/asking.ts';

/** Takes three pods, of which some wait until they are called. */
function taking(...waiting: readonly string[]) {
  const pods = [1, 2, 3].map((number) => planOf(number));
  const calls = new Map<string, () => void>();
  const taken: string[] = [];
  const nameOf = ({ candidate }: PodPlan) => candidate.pod.ref.name;
  const wait = (pod: PodPlan) =>
    waiting.includes(nameOf(pod))
      ? new Promise<void>((resolve) => void calls.set(nameOf(pod), resolve))
      : undefined;
  const isOver = (async () => {
    for await (const pod of inTurn(pods, { wait })) taken.push(nameOf(pod));
    return true;
  })();
  return {
    pods,
    async takenAfter(...called: readonly string[]) {
      for (const name of called) calls.get(name)?.();
      await setImmediate();
      return taken;
    },
    isOver: () => Promise.race([isOver, setImmediate(false)]),
  };
}

it('pods are taken out in their order', async () => {
  const { pods, takenAfter, isOver } = taking();
  expect(await takenAfter()).toEqual(['pod-1', 'pod-2', 'pod-3']);
  expect([pods, await isOver()]).toEqual([[], true]);
});

it('those that wait come when they are called, and until then it is not over', async () => {
  const { takenAfter, isOver } = taking('pod-1', 'pod-2');
  expect(await takenAfter()).toEqual(['pod-3']);
  expect(await isOver()).toBe(false);
  expect(await takenAfter('pod-2')).toEqual(['pod-3', 'pod-2']);
  expect(await takenAfter('pod-1')).toEqual(['pod-3', 'pod-2', 'pod-1']);
  expect(await isOver()).toBe(true);
});

it('one whose wait ends with an error comes like any other, to meet the error itself', async () => {
  const taken: string[] = [];
  const wait = ({ candidate }: PodPlan) => {
    if (candidate.pod.ref.name === 'pod-1') throw new Error('out of paper');
    return candidate.pod.ref.name === 'pod-2' ? Promise.reject(new Error('out of paper')) : undefined;
  };
  for await (const pod of inTurn(
    [1, 2, 3].map((number) => planOf(number)),
    { wait },
  )) {
    taken.push(pod.candidate.pod.ref.name);
  }
  expect(taken).toEqual(['pod-1', 'pod-3', 'pod-2']);
});

it('those that are called together come in the order in which they were called', async () => {
  const { takenAfter, isOver } = taking('pod-1', 'pod-2', 'pod-3');
  expect(await takenAfter('pod-3', 'pod-1', 'pod-2')).toEqual(['pod-3', 'pod-1', 'pod-2']);
  expect(await isOver()).toBe(true);
});

it('while thousands are found to wait, others have their turn', async () => {
  const pods = Array.from({ length: 1_000 }, (_, number) => planOf(number));
  let asked = 0;
  let call: () => void = () => undefined;
  const called = new Promise<void>((resolve) => {
    call = resolve;
  });
  const wait = () => {
    asked++;
    return called;
  };
  const taken: PodPlan[] = [];
  const all = (async () => {
    for await (const pod of inTurn(pods, { wait })) taken.push(pod);
  })();
  await setImmediate();
  expect(asked).toBeLessThan(200);
  while (asked < 1_000) await setImmediate();
  call();
  await all;
  expect(taken).toHaveLength(1_000);
});
