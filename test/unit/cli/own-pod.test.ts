import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { ownPod, whoRuns } from '../../../src/cli/own-pod.ts';

it('the sweeper’s own pod needs both namespace and name', () => {
  const env = { POD_NAMESPACE: 'tools', POD_NAME: 'sweep-1' };
  expect(ownPod(env)).toEqual({ namespace: 'tools', name: 'sweep-1' });
  expect(ownPod({ POD_NAME: 'sweep-1' })).toBeUndefined();
  expect(ownPod({ ...env, POD_NAMESPACE: '' })).toBeUndefined();
  expect(whoRuns(env)).toBe('sweep-1');
  expect(whoRuns({})).toBe(hostname());
});
