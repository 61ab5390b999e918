import { describe, expect, it } from 'vitest';
import {
  annotation,
  argumentOf,
  killCommandKeys,
  listedUnder,
  namesIn,
  own,
  sidecarListKeys,
  stepsKey,
} from '../../../src/model/annotations.ts';
import type { ContainerView } from '../../../src/model/pod.ts';
import { container, running } from '../../builders/pod-view.ts';

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

describe('a value', () => {
  it('is the one under its key', () => {
    expect(own({ a: '1', b: '' }, 'a')).toBe('1');
    expect(own({ a: '1', b: '' }, 'b')).toBe('');
    expect(own({ a: '1' }, 'A')).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])(
    'called %s is there only if somebody wrote it',
    (key) => {
      expect(own({}, key)).toBeUndefined();
      const written: Record<string, string> = JSON.parse(`{"${key}":"value"}`);
      expect(own(written, key)).toBe('value');
    },
  );
});

describe('an argument', () => {
  const args = (...words: readonly string[]): Partial<ContainerView> => ({ args: words });

  it.each<readonly [more: Partial<ContainerView>, expected: string | undefined]>([
    [args('--port=1'), '1'],
    [args('--port', '1'), '1'],
    [args('--port='), ''],
    [args('--port', ''), ''],
    [args('--port=a=b'), 'a=b'],
    [args('--port=--x'), '--x'],
    // A flag without a value.
    [args('--port'), 'true'],
    [args('--port', '--verbose'), 'true'],
    [args('--port', '-v'), 'true'],
    [args('--verbose', '--port'), 'true'],
    // The first counts, and the command comes before its args.
    [args('--port=1', '--port=2'), '1'],
    [args('x', '--port', '1', '--port=2'), '1'],
    [{ command: ['proxy', '--port=1'], args: ['--port=2'] }, '1'],
    [{ command: ['proxy', '--port'] }, 'true'],
    [{ command: ['proxy', '--port'], args: ['1'] }, '1'],
    [{ command: ['proxy'], args: ['--port=1'] }, '1'],
    [args(), undefined],
    [{}, undefined],
    [args('--ports'), undefined],
    [args('--ports=1'), undefined],
    [args('port'), undefined],
    [args('a--port=1'), undefined],
  ])('of %j is %j', (more, expected) => {
    expect(argumentOf(container('sidecar', running, more), '--port')).toBe(expected);
  });
});

it('a flag is looked for among the first arguments', () => {
  const args = Array.from({ length: 1_024 }, () => 'x');
  expect(argumentOf(container('sidecar', running, { args: [...args.slice(1), '--port=1'] }), '--port')).toBe(
    '1',
  );
  expect(
    argumentOf(container('sidecar', running, { args: [...args, '--port=1'] }), '--port'),
  ).toBeUndefined();
});
