import { expect, it } from 'vitest';
import { formatCpu, formatMemory, many, number } from '../../../src/report/format.ts';
import { byName, podArgument } from '../../../src/report/names.ts';
import { countKinds } from '../../../src/util/groups.ts';

it.each([
  [12_345.6, '12,346'],
  [120.4, '120'],
  [12.34, '12.3'],
  [1, '1'],
  [0.034, '0.034'],
  // What wastes little has wasted something.
  [0.001_527, '0.0015'],
  [0, '0'],
])('%d is written as %s', (value, text) => {
  expect(number(value)).toBe(text);
});

it('amounts agree with their nouns', () => {
  expect([0, 1, 10_000].map((amount) => many(amount, 'pod'))).toEqual(['0 pods', '1 pod', '10,000 pods']);
  expect([0.5, 1.04].map((amount) => many(amount, 'core'))).toEqual(['0.5 cores', '1 core']);
});

// biome-ignore format: as many as fit on a line
it.each([
  [0, ''], [0.0001, '1m'], [0.1, '100m'], [1, '1'], [1.5, '1.5'], [12.345, '12.35'],
])('%f cores are %s', (cores, text) => {
  expect(formatCpu(cores)).toBe(text);
});

it.each([
  [0, ''],
  [512, '512'],
  [64 * 1024 ** 2, '64Mi'],
  [1.5 * 1024 ** 3, '1.5Gi'],
  [3 * 1024 ** 6, '3072Pi'],
])('%f bytes are %s', (bytes, text) => {
  expect(formatMemory(bytes)).toBe(text);
});

it('counts are sorted by kind', () => {
  const counts = countKinds(['Stuck', 'Ended', 'Stuck']);
  expect(Object.entries(counts)).toEqual([
    ['Ended', 1],
    ['Stuck', 2],
  ]);
});

it('a kind may have the name of an inherited property', () => {
  expect(Object.entries(countKinds(['constructor']))).toEqual([['constructor', 1]]);
});

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
