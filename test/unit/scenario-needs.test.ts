import { expect, it } from 'vitest';
import { type Need, whyNot } from '../kit/behaviours/scenario.ts';

const rules: Need = { kind: 'Version', version: '1.35', for: 'restart rules' };

it.each(['v1.35.0', 'v1.36.2', 'v1.35.0-rc.1', 'v1.100.0+k3s1', 'v2.0.0'])(
  'a scenario that needs 1.35 plays on %s',
  (version) => expect(whyNot(rules, version)).toBeUndefined(),
);

it.each(['v1.34.9', 'v1.9.0', 'v1.30.4-eks-36'])('on %s it is skipped, with the reason', (version) => {
  expect(whyNot(rules, version)).toBe(`needs Kubernetes 1.35 (restart rules); this is ${version}`);
});

it('a scenario whose programs are missing is skipped, with their names', () => {
  expect(whyNot({ kind: 'Programs', missing: 'not installed: script' }, 'v1.36.2')).toBe(
    'not installed: script',
  );
  expect(whyNot({ kind: 'Programs', missing: undefined }, 'v1.36.2')).toBeUndefined();
  expect(whyNot(undefined, 'v1.24.0')).toBeUndefined();
});
