import { expect, it } from 'vitest';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { profilesNamed, reportProfiles } from '../../../src/report/profiles.ts';
import { plain, renderProfiles } from '../../builders/rendered.ts';

it.each<
  readonly [how: string, words: readonly string[], found: readonly string[], unknown: readonly string[]]
>([
  ['by its own name', ['istio'], ['istio'], []],
  ['by the name of a container, as a pod shows it', ['istio-proxy'], ['istio'], []],
  ['with others, in their order, once each', ['linkerd', 'istio', 'istio-proxy'], ['istio', 'linkerd'], []],
  ['or not at all', ['isto', 'istio'], ['istio'], ['isto']],
])('a profile is named %s', (_how, words, found, unknown) => {
  const named = profilesNamed(words, catalogue);
  expect([named.found.map(({ name }) => name), named.unknown]).toEqual([found, unknown]);
});

it('the number of a step stays with what the step does, however narrow the terminal', () => {
  const narrow = renderProfiles(reportProfiles(catalogue), { ...plain, width: 40 });
  expect(narrow.split('\n').filter((line) => /^\s*\d+\.\s*$/.test(line))).toEqual([]);
  expect(narrow).toMatch(/^ {2}1\. POST :15020\/quitquitquit, ends with$/m);
});
