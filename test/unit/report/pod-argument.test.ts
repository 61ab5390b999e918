import { expect, it } from 'vitest';
import { podArgument } from '../../../src/report/names.ts';

const pod = { namespace: 'jobs', name: 'x' };

it('a pod of -n is named as kubectl does, and any other with its namespace', () => {
  expect(podArgument(pod, { namespaces: ['jobs'] })).toBe('pod/x');
  expect(podArgument(pod, { namespaces: [] })).toBe('jobs/x');
  expect(podArgument(pod, { namespaces: ['jobs', 'etl'] })).toBe('jobs/x');
});
