import { execFileSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectEarly, fitHeap } from '../../../src/cli/heap.ts';

const early = ['--semi-space-growth-factor=1'];
const heapAlone = ['--heap-growing-percent=50'];
const often = ['--heap-growing-percent=30', '--expose-gc'];
const less = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

it.each([
  ['20.19.0', 2_000, [...early, ...heapAlone, ...often]],
  ['20.19.0', 1_999, [...early, ...heapAlone, ...less]],
  ['22.23.3', 1_999, [...early, ...less]],
  ['25.9.0', 2_000, [...early, ...often]],
  ['26.0.0', 2_000, []],
])('Node %s, which is to sweep %i pods, is told %j', (version, pods, expected) => {
  const flags: string[] = [];
  const tell = (flag: string) => flags.push(flag);
  collectEarly(version, tell);
  fitHeap(pods, version, tell);
  expect(flags).toEqual(expected);
});

it.each([...early, ...heapAlone, ...often, ...less])('the Node that runs this knows %s', (flag) => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain(`${flag.split('=')[0]} `);
});

it('of the garbage that planning 2,000 pods has left, there is none afterwards', async () => {
  const reference = garbage();
  await setImmediate();
  fitHeap(2_000);
  expect(reference.deref()).toBeUndefined();
});

function garbage(): WeakRef<{ readonly name: string }> {
  return new WeakRef({ name: 'garbage' });
}
