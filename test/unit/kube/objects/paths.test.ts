import { expect, it } from 'vitest';
import {
  jobPath,
  jobsPath,
  nodePath,
  nodesPath,
  podPath,
  podsPath,
} from '../../../../src/kube/objects/paths.ts';

it.each([
  [podsPath(undefined), '/api/v1/pods'],
  [podsPath('demo'), '/api/v1/namespaces/demo/pods'],
  [podPath({ namespace: 'demo', name: 'work' }), '/api/v1/namespaces/demo/pods/work'],
  [podPath({ namespace: 'demo', name: 'work' }, 'exec'), '/api/v1/namespaces/demo/pods/work/exec'],
  [jobPath('demo', 'work'), '/apis/batch/v1/namespaces/demo/jobs/work'],
  [jobsPath('demo'), '/apis/batch/v1/namespaces/demo/jobs'],
  [nodesPath, '/api/v1/nodes'],
  [nodePath('node1'), '/api/v1/nodes/node1'],
])('%s', (path, expected) => {
  expect(path).toBe(expected);
});

it('names are escaped', () => {
  const odd = '../x?y#z';
  expect(podsPath(odd)).toBe('/api/v1/namespaces/..%2Fx%3Fy%23z/pods');
  expect(podPath({ namespace: odd, name: odd })).toBe(
    '/api/v1/namespaces/..%2Fx%3Fy%23z/pods/..%2Fx%3Fy%23z',
  );
  expect(jobPath(odd, odd)).toBe('/apis/batch/v1/namespaces/..%2Fx%3Fy%23z/jobs/..%2Fx%3Fy%23z');
  expect(nodePath(odd)).toBe('/api/v1/nodes/..%2Fx%3Fy%23z');
});
