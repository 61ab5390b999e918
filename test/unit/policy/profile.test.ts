import { describe, expect, it } from 'vitest';
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

describe('a profile fits', () => {
  it('by name and image, in any registry, with any tag', () => {
    expect(found([written('a')])).toBe('a');
  });

  it('not by the name alone, nor by the image alone', () => {
    expect(found([written('a')], { image: 'acme/batch:1' })).toBeUndefined();
    expect(found([written('a')], { name: 'work' })).toBeUndefined();
  });

  it('never with a tag of its own, which is refused', () => {
    expect(() => written('a', { images: ['acme/proxy:1'] })).toThrow('without its tag');
  });

  it('by any of its names and images', () => {
    const many = written('a', { containers: ['x', 'pro*'], images: ['y', 'acme/*'] });
    expect(found([many])).toBe('a');
  });

  it('only when the pod shows one of its signs, if it has any', () => {
    const picky = written('a', { shows: [{ env: 'WRAPPED' }, { annotation: 'wrapped', value: 'yes' }] });
    expect(found([picky])).toBeUndefined();
    expect(found([picky], { env: { WRAPPED: '1' } })).toBe('a');
    expect(found([picky], { env: { WRAPPED: '' } })).toBeUndefined();
    expect(found([picky], {}, { annotations: { wrapped: 'yes' } })).toBe('a');
    expect(found([picky], {}, { annotations: { wrapped: 'no' } })).toBeUndefined();
  });
});

it('the first that fits is taken', () => {
  const picky = written('picky', { shows: [{ env: 'WRAPPED' }] });
  const catalogue = [picky, written('first'), written('second')];
  expect(found(catalogue)).toBe('first');
  expect(found(catalogue, { env: { WRAPPED: '1' } })).toBe('picky');
});

it('nothing fits in an empty catalogue', () => {
  expect(found([])).toBeUndefined();
});
