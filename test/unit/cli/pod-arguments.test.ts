import { describe, expect, it } from 'vitest';
import { readPods } from '../../../src/cli/pod-arguments.ts';

describe('a pod is named', () => {
  it.each<readonly [word: string, namespaces: readonly string[]]>([
    ['jobs/x', []],
    ['jobs/x', ['etl']],
    ['x', ['jobs']],
    ['pod/x', ['jobs']],
    ['pods/x', ['jobs']],
    ['po/x', ['jobs']],
  ])('%s in %j', (word, namespaces) => {
    expect(readPods([word], namespaces)).toEqual([{ namespace: 'jobs', name: 'x' }]);
  });

  it('with others, each in its way', () => {
    expect(readPods(['a', 'etl/b'], ['jobs'])).toEqual([
      { namespace: 'jobs', name: 'a' },
      { namespace: 'etl', name: 'b' },
    ]);
  });
});

it.each<readonly [word: string, namespaces: readonly string[], says: RegExp]>([
  ['x', [], /namespace of the pod 'x' is missing/],
  ['pod/x', [], /namespace of the pod 'pod\/x' is missing/],
  ['x', ['jobs', 'etl'], /may be in any of jobs, etl/],
  ['a/b/c', [], /names no pod/],
  ['/x', ['jobs'], /names no pod/],
  ['jobs/', [], /names no pod/],
  ['', ['jobs'], /names no pod/],
  ['pod/', ['jobs'], /names no pod/],
  // As parts of a path, these would lead to other objects.
  ['../x', [], /'..' is not a valid namespace name/],
  ['jobs/..', [], /is not a valid pod name/],
  ['..', ['jobs'], /is not a valid pod name/],
  ['Jobs/x', [], /'Jobs' is not a valid namespace name/],
  ['billing/Äö', [], /^'Äö' is not a valid pod name$/],
  ['jobs/x y', [], /is not a valid pod name/],
  ['jobs/x?watch=1', [], /is not a valid pod name/],
])('%j in %j is refused', (word, namespaces, says) => {
  expect(() => readPods([word], namespaces)).toThrow(says);
});
