import { expect, it } from 'vitest';
import { parseQuantity } from '../../../../src/kube/pods/quantity.ts';

it.each([
  ['250m', 0.25],
  ['1', 1],
  ['1.5', 1.5],
  ['2.', 2],
  [2, 2],
  ['0', 0],
  ['100n', 1e-7],
  ['5u', 5e-6],
  ['64Mi', 67_108_864],
  ['1Gi', 1_073_741_824],
  ['1.5Gi', 1_610_612_736],
  ['128M', 128_000_000],
  ['1k', 1_000],
  ['1e3', 1_000],
  ['12E2', 1_200],
  ['1E', 1e18],
  ['3Ei', 3 * 2 ** 60],
])('%j is %d', (text, value) => {
  expect(parseQuantity(text)).toBeCloseTo(value, 12);
});

it.each<unknown>([
  '',
  'much',
  '-1',
  '1 Gi',
  '1Xi',
  '1constructor',
  null,
  undefined,
  {},
  { toString: 1 },
  ['1'],
  '1e999',
])('%j is not a quantity', (text) => {
  expect(parseQuantity(text)).toBe(0);
});
