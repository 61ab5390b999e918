import { expect, it } from 'vitest';
import { jobOf } from '../../../src/pod/owner.ts';
import type { Owner } from '../../../src/vocabulary/pod.ts';
import { podView } from '../../builders/pod-view.ts';

it.each<readonly [group: string, kind: string, isJob: boolean]>([
  ['batch', 'Job', true],
  ['batch', 'CronJob', false],
  ['batch.volcano.sh', 'Job', false],
  ['', 'Job', false],
  ['jobset.x-k8s.io', 'JobSet', false],
  ['kubeflow.org', 'PyTorchJob', false],
  ['tekton.dev', 'TaskRun', false],
  ['argoproj.io', 'Workflow', false],
  ['apps', 'ReplicaSet', false],
  ['', 'Node', false],
])('an owner of the group %j and the kind %s: is it a Job of Kubernetes? %s', (group, kind, isJob) => {
  const owner: Owner = { group, kind, name: 'work', uid: 'uid-1' };
  expect(jobOf(podView({ owner }))).toBe(isJob ? owner : undefined);
});

it('a pod without an owner has no Job', () => {
  expect(jobOf(podView({ owner: undefined }))).toBeUndefined();
});
