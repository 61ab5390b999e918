import { expect, it } from 'vitest';
import { byName, podArgument } from '../../../src/report/names.ts';

it('pods are sorted by namespace, then by name, regardless of the locale', () => {
  const names = ['b/a', 'a/z', 'a/B', 'a/b', 'a/a'];
  const pods = names.map((each) => ({ namespace: each.slice(0, 1), name: each.slice(2) }));
  const sorted = [...pods].sort(byName).map(({ namespace, name }) => `${namespace}/${name}`);
  expect(sorted).toEqual(['a/B', 'a/a', 'a/b', 'a/z', 'b/a']);
  expect(byName({ namespace: 'a', name: 'b' }, { namespace: 'a', name: 'b' })).toBe(0);
});

const pod = { namespace: 'jobs', name: 'x' };

it('a pod of -n is named as kubectl does, and any other with its namespace', () => {
  expect(podArgument(pod, { namespaces: ['jobs'] })).toBe('pod/x');
  expect(podArgument(pod, { namespaces: [] })).toBe('jobs/x');
  expect(podArgument(pod, { namespaces: ['jobs', 'etl'] })).toBe('jobs/x');
});
