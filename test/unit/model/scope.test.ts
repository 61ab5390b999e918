import { expect, it } from 'vitest';
import { namespaceName } from '../../../src/model/scope.ts';

it.each(['a', '0', 'kube-system', 'a'.repeat(63)])('%s is the name of a namespace', (name) => {
  expect(name).toMatch(namespaceName);
});

it.each(['', '.', '..', 'a.b', 'a/b', 'A', '-a', 'a-', 'kube-*', 'a\n', 'a b', 'ä', 'a'.repeat(64)])(
  '%j is not',
  (name) => {
    expect(name).not.toMatch(namespaceName);
  },
);
