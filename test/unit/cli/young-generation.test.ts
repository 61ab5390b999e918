import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { collectEarly } from '../../../src/cli/young-generation.ts';

it.each([
  ['20.19.0', ['--semi-space-growth-factor=1']],
  ['25.9.0', ['--semi-space-growth-factor=1']],
  ['26.0.0', []],
])('Node %s is told %j', (version, expected) => {
  const flags: string[] = [];
  collectEarly(version, (flag) => flags.push(flag));
  expect(flags).toEqual(expected);
});

it('the Node that runs this knows the flag', () => {
  const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  expect(known).toContain('--semi-space-growth-factor ');
});
