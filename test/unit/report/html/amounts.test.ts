import { expect, it } from 'vitest';
import { lasted, resources } from '../../../../src/report/html/amounts.ts';

it('resources are cores and GiB', () => {
  expect(resources({ cpu: 1.5, memory: 3 * 2 ** 30 })).toBe('1.5 cores, 3 GiB');
});

it('what took less than a second is told in milliseconds', () => {
  expect([lasted(40.4), lasted(999), lasted(1_500)]).toEqual(['40 ms', '999 ms', '1.5s']);
});
