import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { profilesNamed, reportProfiles } from '../../../src/report/profiles.ts';
import { plain, renderProfiles } from '../../builders/rendered.ts';

const namesOf = (...words: readonly string[]) => {
  const { found, unknown } = profilesNamed(words, catalogue);
  return [found.map(({ name }) => name), unknown];
};

describe('a profile is named', () => {
  it('by its own name', () => {
    expect(namesOf('istio')).toEqual([['istio'], []]);
  });

  it('by the name of a container, as a pod shows it', () => {
    expect(namesOf('istio-proxy')).toEqual([['istio'], []]);
  });

  it('with others, in the order of the catalogue, once each', () => {
    expect(namesOf('linkerd', 'istio', 'istio-proxy')).toEqual([['istio', 'linkerd'], []]);
  });

  it('or not at all', () => {
    expect(namesOf('isto', 'istio')).toEqual([['istio'], ['isto']]);
  });
});

it('the number of a step stays with what the step does, however narrow the terminal', () => {
  const narrow = renderProfiles(reportProfiles(catalogue), { ...plain, width: 40 });
  expect(narrow.split('\n').filter((line) => /^\s*\d+\.\s*$/.test(line))).toEqual([]);
  expect(narrow).toMatch(/^ {2}1\. POST :15020\/quitquitquit, ends with$/m);
});
