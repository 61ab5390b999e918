import { describe, expect, it } from 'vitest';
import {
  annotation,
  killCommandKeys,
  listedUnder,
  namesIn,
  sidecarListKeys,
  stepsKey,
} from '../../../src/pod/annotations.ts';

it('a kill command stands under our own key or Argo’s, letter for letter', () => {
  expect(killCommandKeys('istio-proxy')).toEqual([
    'sidecar-sweeper.dev/kill-cmd-istio-proxy',
    'workflows.argoproj.io/kill-cmd-istio-proxy',
  ]);
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

describe('a list of names', () => {
  it.each([
    ['logging', 'logging', true],
    ['logging,istio-proxy', 'istio-proxy', true],
    ['logging, istio-proxy', 'istio-proxy', true],
    [' logging\t,\nistio-proxy ', 'logging', true],
    ['logging,', 'logging', true],
    ['logging', 'log', false],
    ['logging', 'logging-2', false],
    ['Logging', 'logging', false],
    ['logging istio-proxy', 'logging', false],
    ['["logging"]', 'logging', false],
    ['*', 'logging', false],
    ['', 'logging', false],
  ])('%j: does it name %s? %s', (list, container, expected) => {
    expect(namesIn(list).includes(container)).toBe(expected);
  });
});

it('a list annotation has the names in their order, and none if it is not there', () => {
  const annotations = { 'a/sidecars': ' logging,, istio-proxy' };
  expect(listedUnder(annotations, 'a/sidecars')).toEqual(['logging', 'istio-proxy']);
  expect(listedUnder(annotations, 'b/sidecars')).toEqual([]);
  expect(listedUnder(annotations, 'constructor')).toEqual([]);
});

describe('an annotation', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'called %s is there only if the pod has it',
    (key) => {
      expect(annotation({}, key)).toBeUndefined();
      const own: Record<string, string> = JSON.parse(`{"${key}":"value"}`);
      expect(annotation(own, key)).toBe('value');
    },
  );
});
