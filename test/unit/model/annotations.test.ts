import { describe, expect, it } from 'vitest';
import {
  killCommandKeys,
  listedUnder,
  namesIn,
  ownValue,
  sidecarListKeys,
  stepsKey,
} from '../../../src/model/annotations.ts';

it('a kill command stands under our own key or Argo’s, letter for letter', () => {
  const expected = ['sidecar-sweeper.dev/kill-cmd-istio-proxy', 'workflows.argoproj.io/kill-cmd-istio-proxy'];
  expect(killCommandKeys('istio-proxy')).toEqual(expected);
});

it('steps stand under a key of our own', () => {
  expect(stepsKey('istio-proxy')).toBe('sidecar-sweeper.dev/steps-istio-proxy');
});

it('the peers’ lists of sidecars are known by their keys', () => {
  expect(sidecarListKeys).toEqual([
    'nrmitchi.com/sidecars',
    'lemonade.com/sidecars',
    'pod.kubernetes.io/sidecars',
    'riskified.com/sidecars',
  ]);
});

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

it('a list annotation has the names in their order, and none if it is not there', () => {
  const annotations = { 'a/sidecars': ' logging,, istio-proxy' };
  expect(listedUnder(annotations, 'a/sidecars')).toEqual(['logging', 'istio-proxy']);
  expect(listedUnder(annotations, 'b/sidecars')).toEqual([]);
  expect(listedUnder(annotations, 'constructor')).toEqual([]);
});

describe('a value', () => {
  it('is the one under its key', () => {
    expect(ownValue({ a: '1', b: '' }, 'a')).toBe('1');
    expect(ownValue({ a: '1', b: '' }, 'b')).toBe('');
    expect(ownValue({ a: '1' }, 'A')).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'called %s exists only if it was written',
    (key) => {
      expect(ownValue({}, key)).toBeUndefined();
      const written: Record<string, string> = JSON.parse(`{"${key}":"value"}`);
      expect(ownValue(written, key)).toBe('value');
    },
  );
});
