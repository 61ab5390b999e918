import { expect, it } from 'vitest';
import { byName } from '../../../src/report/names.ts';

it('pods are sorted by namespace, then by name, regardless of the locale', () => {
  const names = ['b/a', 'a/z', 'a/B', 'a/b', 'a/a'];
  const pods = names.map((each) => ({ namespace: each.slice(0, 1), name: each.slice(2) }));
  const sorted = [...pods].sort(byName).map(({ namespace, name }) => `${namespace}/${name}`);
  expect(sorted).toEqual(['a/B', 'a/a', 'a/b', 'a/z', 'b/a']);
  expect(byName({ namespace: 'a', name: 'b' }, { namespace: 'a', name: 'b' })).toBe(0);
});
