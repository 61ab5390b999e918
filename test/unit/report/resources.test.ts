import { expect, it } from 'vitest';
import { formatCpu, formatMemory, sumOf } from '../../../src/report/format.ts';

it.each([
  [0, '0'],
  [0.0001, '1m'],
  [0.1, '100m'],
  [1, '1'],
  [1.5, '1.5'],
  [12.345, '12.35'],
])('%f cores are %s', (cores, text) => {
  expect(formatCpu(cores)).toBe(text);
});

it.each([
  [0, '0'],
  [512, '512'],
  [64 * 1024 ** 2, '64Mi'],
  [1.5 * 1024 ** 3, '1.5Gi'],
  [3 * 1024 ** 6, '3072Pi'],
])('%f bytes are %s', (bytes, text) => {
  expect(formatMemory(bytes)).toBe(text);
});

it('pods together hold the sum', () => {
  expect(sumOf([])).toEqual({ cpu: 0, memory: 0 });
  const one = { cpu: 0.5, memory: 10 };
  expect(sumOf([one, one])).toEqual({ cpu: 1, memory: 20 });
});
