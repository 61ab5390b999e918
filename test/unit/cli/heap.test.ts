import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { collectEarly, spareMemory } from '../../../src/cli/heap.ts';

const early = '--semi-space-growth-factor=1';
const often = '--heap-growing-percent=30';

it.each([
  ['20.19.0', 2_000, [early, often]],
  ['20.19.0', 1_999, [early]],
  ['25.9.0', 2_000, [early, often]],
  ['26.0.0', 2_000, []],
])('Node %s, which is to sweep %i pods, is told %j', (version, pods, expected) => {
  const flags: string[] = [];
  const tell = (flag: string) => flags.push(flag);
  collectEarly(version, tell);
  spareMemory(pods, version, tell);
  expect(flags).toEqual(expected);
});

it.each([early, often])('the Node that runs this knows %s', (flag) => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain(`${flag.split('=')[0]} `);
});
