import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { styleFor } from '../../../src/cli/style.ts';

const output = (isTTY: boolean, columns?: number) =>
  Object.assign(new PassThrough(), { isTTY, ...(columns !== undefined && { columns }) });

it.each<
  [title: string, color: 'auto' | 'always' | 'never' | undefined, env: object, isTTY: boolean, on: boolean]
>([
  ['on a terminal', undefined, {}, true, true],
  ['in a pipe', undefined, {}, false, false],
  ['on a dumb terminal', undefined, { TERM: 'dumb' }, true, false],
  ['with NO_COLOR', undefined, { NO_COLOR: '1' }, true, false],
  ['with an empty NO_COLOR', 'auto', { NO_COLOR: '' }, true, true],
  ['with FORCE_COLOR in a pipe', undefined, { FORCE_COLOR: '1' }, false, true],
  ['with FORCE_COLOR=0', undefined, { FORCE_COLOR: '0' }, true, false],
  ['with both', undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
  ['with --color always', 'always', { NO_COLOR: '1' }, false, true],
  ['with --color never', 'never', { FORCE_COLOR: '1' }, true, false],
])('colour %s', (_title, color, env, isTTY, on) => {
  expect(styleFor(output(isTTY), { ...(color && { color }) }, { ...env }).colour).toBe(on);
});

it('a pipe has no width, and neither has a terminal that was never told', () => {
  const widths = [output(false), output(true, 0), output(true, 80)].map((one) => styleFor(one, {}, {}).width);
  expect(widths).toEqual([undefined, undefined, 80]);
});
