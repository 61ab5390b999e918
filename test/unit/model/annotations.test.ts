import { expect, it } from 'vitest';
import { namesIn } from '../../../src/model/annotations.ts';

// biome-ignore format: as many as fit on a line
it.each([
  ['logging', 'logging', true], ['logging,istio-proxy', 'istio-proxy', true],
  ['logging, istio-proxy', 'istio-proxy', true], [' logging\t,\nistio-proxy ', 'logging', true],
  ['logging,', 'logging', true], ['logging', 'log', false], ['logging', 'logging-2', false],
  ['Logging', 'logging', false], ['logging istio-proxy', 'logging', false],
  ['["logging"]', 'logging', false], ['*', 'logging', false], ['', 'logging', false],
])('a list of names %j: does it name %s? %s', (list, container, expected) => {
  expect(namesIn(list).includes(container)).toBe(expected);
});
