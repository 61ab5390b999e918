import { expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/kube/retry-after.ts';

it.each<readonly [header: string | undefined, milliseconds: number | undefined]>([
  ['10', 10_000],
  ['0', 0],
  ['99999', 99_999_000],
  ['100000', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s', (header, milliseconds) => {
  expect(parseRetryAfter(header)).toBe(milliseconds);
});
