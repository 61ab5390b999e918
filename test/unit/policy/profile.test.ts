import { expect, it } from 'vitest';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import { findProfile, type Profile, profile } from '../../../src/policy/profile.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

function written(name: string, more: object = {}): Profile {
  return profile.parse({ name, containers: ['proxy'], images: ['acme/proxy'], steps: [], ...more });
}

function found(
  catalogue: readonly Profile[],
  sidecar: Partial<ContainerView> = {},
  pod: Partial<PodView> = {},
): string | undefined {
  const { name = 'proxy', ...more } = sidecar;
  const one = container(name, running, { image: 'registry.example/acme/proxy:1', ...more });
  return findProfile(catalogue, podView(pod), one)?.name;
}

const picky = written('picky', { shows: [{ env: 'WRAPPED' }, { annotation: 'wrapped', value: 'yes' }] });
const many = written('many', { containers: ['x', 'pro*'], images: ['y', 'acme/*'] });
const three = [picky, written('first'), written('second')];

// biome-ignore format: one row a line
it.each<readonly [title: string, expected: string | undefined, how: Parameters<typeof found>]>([
  ['by name and image, in any registry, with any tag', 'a', [[written('a')]]],
  ['not by the name alone', undefined, [[written('a')], { image: 'acme/batch:1' }]],
  ['not by the image alone', undefined, [[written('a')], { name: 'work' }]],
  ['by any of its names and images', 'many', [[many]]],
  ['not if the pod shows none of its signs', undefined, [[picky]]],
  ['by a variable that the pod shows', 'picky', [[picky], { env: { WRAPPED: '1' } }]],
  ['not by an empty one', undefined, [[picky], { env: { WRAPPED: '' } }]],
  ['by an annotation that the pod shows', 'picky', [[picky], {}, { annotations: { wrapped: 'yes' } }]],
  ['not by one of another value', undefined, [[picky], {}, { annotations: { wrapped: 'no' } }]],
  ['if it is the first of those that do', 'first', [three]],
  ['before others if the pod shows its sign', 'picky', [three, { env: { WRAPPED: '1' } }]],
  ['not if there is none', undefined, [[]]],
])('a profile fits %s', (_title, expected, how) => {
  expect(found(...how)).toBe(expected);
});

it('a profile has no images with a tag, which are refused', () => {
  expect(() => written('a', { images: ['acme/proxy:1'] })).toThrow('without its tag');
});
