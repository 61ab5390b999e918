import { expect, it } from 'vitest';
import { Quiet } from '../../../../src/kube/client/busy.ts';
import { clockOf } from '../../../builders/stepped-clock.ts';
import { steppedClock } from '../../../kit/emulator/index.ts';

function begin() {
  const time = steppedClock(0);
  const quiet = new Quiet(clockOf(time));
  const stopping = new AbortController();
  const ended: number[] = [];
  const wait = () => void quiet.over(stopping.signal).then(() => ended.push(time.now().getTime()));
  return { time, quiet, stopping, ended, wait };
}

it('everybody waits for the end of a Retry-After', async () => {
  const { time, quiet, ended, wait } = begin();
  wait();
  await time.advance(0);
  expect(ended).toEqual([0]);
  quiet.keep(undefined);
  quiet.keep(7_000);
  wait();
  await time.advance(2_000);
  wait();
  quiet.keep(1_000);
  await time.advance(60_000);
  expect(ended).toEqual([0, 7_000, 7_000]);
});

it('a longer Retry-After that comes meanwhile counts for those who wait already', async () => {
  const { time, quiet, ended, wait } = begin();
  quiet.keep(2_000);
  wait();
  await time.advance(1_000);
  quiet.keep(5_000);
  await time.advance(60_000);
  expect(ended).toEqual([6_000]);
});

it('an absurd Retry-After does not stop a sweep for a day', async () => {
  const { time, quiet, ended, wait } = begin();
  quiet.keep(86_400_000);
  wait();
  await time.advance(86_400_000);
  expect(ended).toEqual([30_000]);
});

it('nobody waits once the sweep has stopped', async () => {
  const { time, quiet, stopping, ended, wait } = begin();
  quiet.keep(10_000);
  wait();
  await time.advance(1_000);
  stopping.abort();
  await time.advance(0);
  expect(ended).toEqual([1_000]);
});
