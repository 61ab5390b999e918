import { expect, it } from 'vitest';
import { type ContainerView, jobOf, type Owner, type RestartPolicy } from '../../../src/model/pod.ts';
import { willRestart } from '../../../src/model/restarts.ts';
import { container, exited, podView, restartIn, restartNotIn } from '../../builders/pod-view.ts';

// biome-ignore format: as many as fit on a line
it.each<readonly [group: string, kind: string, isJob: boolean]>([
  ['batch', 'Job', true], ['batch', 'CronJob', false], ['batch.volcano.sh', 'Job', false],
  ['', 'Job', false], ['jobset.x-k8s.io', 'JobSet', false], ['kubeflow.org', 'PyTorchJob', false],
  ['tekton.dev', 'TaskRun', false], ['argoproj.io', 'Workflow', false], ['apps', 'ReplicaSet', false],
  ['', 'Node', false],
])('an owner of the group %j and the kind %s: is it a Job of Kubernetes? %s', (group, kind, isJob) => {
  const owner: Owner = { group, kind, name: 'work', uid: 'uid-1' };
  expect(jobOf(podView({ owner }))).toBe(isJob ? owner : undefined);
});

type Case = readonly [
  title: string,
  podPolicy: RestartPolicy,
  own: Partial<ContainerView>,
  exitCode: number,
  restarts: boolean,
];

// biome-ignore format: one row a line
it.each<Case>([
  ['Never starts nothing again after 0', 'Never', {}, 0, false],
  ['Never starts nothing again after 1', 'Never', {}, 1, false],
  ['Never starts nothing again after a kill', 'Never', {}, 137, false],
  ['OnFailure leaves a success alone', 'OnFailure', {}, 0, false],
  ['OnFailure starts a failure again', 'OnFailure', {}, 1, true],
  ['OnFailure starts a container again that was ended by TERM', 'OnFailure', {}, 143, true],
  ['Always starts a success again', 'Always', {}, 0, true],
  ['the container’s own Never comes before the pod’s OnFailure', 'OnFailure', { restartPolicy: 'Never' }, 1, false],
  ['the container’s own OnFailure comes before the pod’s Never', 'Never', { restartPolicy: 'OnFailure' }, 1, true],
  ['the container’s own Always comes before the pod’s Never', 'Never', { restartPolicy: 'Always' }, 0, true],
  ['a rule In that lists the code comes before Never', 'Never', { restartRules: [restartIn(3, 42)] }, 42, true],
  ['a rule In that does not list the code leaves the policy to decide', 'Never', { restartRules: [restartIn(3)] }, 42, false],
  ['a rule NotIn that does not list the code comes before Never', 'Never', { restartPolicy: 'Never', restartRules: [restartNotIn(0)] }, 1, true],
  ['a rule NotIn that lists the code leaves the policy to decide', 'Never', { restartRules: [restartNotIn(0)] }, 0, false],
  ['any rule of several is enough', 'Never', { restartRules: [restartIn(1), restartIn(2)] }, 2, true],
  [
    'a rule with an action of a later Kubernetes counts by its exit codes as well',
    'Never',
    { restartRules: [{ ...restartIn(42), action: 'RestartAllContainers' }] },
    42,
    true,
  ],
  ['an unknown rule (NotIn nothing) starts it again always', 'Never', { restartRules: [restartNotIn()] }, 0, true],
])('%s', (_title, podPolicy, own, exitCode, restarts) => {
  expect(willRestart(container('main', exited(exitCode), own), podPolicy, exitCode)).toBe(restarts);
});
