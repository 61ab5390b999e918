import { expect, it } from 'vitest';
import { Given } from '../../../../src/kube/pods/given.ts';
import { podView } from '../../../builders/pod-view.ts';

const batch = (...names: readonly string[]) => ({
  pods: names.map((name) => podView({ ref: { namespace: 'demo', name, uid: `uid-${name}` } })),
  malformed: names.map((name) => ({ namespace: 'odd', name, problem: 'no uid' })),
  atWork: names.map((name) => ({ namespace: 'busy', name, uid: `busy-${name}` })),
});

const namesIn = ({ pods, malformed, atWork }: ReturnType<Given['fresh']>) =>
  [...pods.map(({ ref }) => ref), ...malformed, ...atWork].map(
    ({ namespace, name }) => `${namespace}/${name}`,
  );

it('gives everything as long as the list has not begun again', () => {
  const given = new Given();
  expect(namesIn(given.fresh(batch('a', 'b')))).toEqual([
    'demo/a',
    'demo/b',
    'odd/a',
    'odd/b',
    'busy/a',
    'busy/b',
  ]);
});

it('gives only what is new once the list has begun again', () => {
  const given = new Given();
  given.fresh(batch('a', 'b'));
  given.fresh(batch('c'));
  given.beginAgain();
  expect(namesIn(given.fresh(batch('b', 'c', 'd')))).toEqual(['demo/d', 'odd/d', 'busy/d']);
  given.beginAgain();
  expect(namesIn(given.fresh(batch('a', 'd', 'e')))).toEqual(['demo/e', 'odd/e', 'busy/e']);
});

it('gives a pod once, even if one list repeats it: it would be swept twice', () => {
  const given = new Given();
  const [pod] = batch('a').pods;
  const twice = { pods: pod ? [pod, pod] : [], malformed: [], atWork: [] };
  expect(namesIn(given.fresh(twice))).toEqual(['demo/a']);
  expect(namesIn(given.fresh(twice))).toEqual([]);
});
