import { describe, expect, it } from 'vitest';
import type { FailureRule, IndexLimits, JobView } from '../../../src/model/job.ts';
import type { ContainerView, Owner, PodView } from '../../../src/model/pod.ts';
import type { JobFacts } from '../../../src/model/reading.ts';
import type { UncleanCost } from '../../../src/model/step.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import { consequenceOf, costOf, rank, worst } from '../../../src/plan/unclean-cost.ts';
import { jobFacts, onExitCodes, onPodConditions } from '../../builders/job.ts';
import { candidate } from '../../builders/plan.ts';
import {
  container,
  exited,
  nativeSidecar,
  podView,
  podWith,
  podWithSidecar,
  restartIn,
  running,
} from '../../builders/pod-view.ts';

const nothing: UncleanCost = { kind: 'Nothing' };
const restart: UncleanCost = { kind: 'Restart' };
const anotherRun: UncleanCost = { kind: 'AnotherRun' };
const index: UncleanCost = { kind: 'Index' };
const theJob = (because: Extract<UncleanCost, { kind: 'Job' }>['because']): UncleanCost => {
  return { kind: 'Job', because };
};
const byPolicy = theJob('FailurePolicy');
const noRetries = theJob('NoRetriesLeft');
const otherOwner = theJob('OtherOwner');
const unread = theJob('JobUnreadable');
const platform = theJob('Platform');
const argo = theJob('ArgoWorkflow');

function stuck(more: Partial<PodView> = {}, mainCode = 0): Candidate {
  const wait = more.argo ? [container('wait', exited())] : [];
  const containers = [container('main', exited(mainCode)), ...wait, container('sidecar', running)];
  return candidate(podView({ containers, ...more }));
}

function costs(of: Candidate, job: JobFacts | undefined, exitCode: number | undefined): UncleanCost {
  return costOf(of, job, { container: 'sidecar', exitCode });
}

function ownedBy(group: string, kind: string): { readonly owner: Owner } {
  return { owner: { group, kind, name: 'work', uid: 'uid-1' } };
}

const onFailure = { restartPolicy: 'OnFailure' } as const;
const otherController = 'kueue.x-k8s.io/multikueue';
const airflow = { owner: undefined, labels: { kubernetes_pod_operator: 'True' } } as const;
const ownedLoosely = { owner: undefined, hasOtherOwner: true } as const;
const workflow = { ...ownedBy('argoproj.io', 'Workflow'), argo: { mains: ['main'] } };
const supervised = {
  ...workflow,
  containers: [container('main', exited()), container('supervisor', exited()), container('sidecar', running)],
};
const unwaited = candidate(podWith(['sidecar'], workflow));

// biome-ignore format: one row a line
it.each<readonly [title: string, Candidate, exitCode: number | undefined, UncleanCost]>([
  ['nothing if nothing owns the pod', stuck({ owner: undefined }), 1, nothing],
  ['nothing if nothing owns the pod under OnFailure', stuck({ owner: undefined, ...onFailure }), 1, nothing],
  ['all if a platform judges the pod by its phase', stuck(airflow), 143, platform],
  ['all if such a pod ends with an unknown code', stuck(airflow), undefined, platform],
  ['all if such a pod is restarted under OnFailure, because it may be deleted', stuck({ ...airflow, ...onFailure }), 143, platform],
  ['nothing if the main of such a pod failed before', stuck(airflow, 7), 143, nothing],
  ['what its owner says if such a pod has one', stuck({ ...airflow, ...workflow }), 143, nothing],
  ['nothing in a workflow if Argo ignores the code: KILL', stuck(workflow), 137, nothing],
  ['nothing in a workflow if Argo ignores the code: TERM', stuck(workflow), 143, nothing],
  ['nothing in a workflow beside the supervisor of later versions', stuck(supervised), 143, nothing],
  ['the step of a workflow if nothing in the pod waits for its main, as in a resource template', unwaited, 143, argo],
  ['the step of a workflow with any other code', stuck(workflow), 1, argo],
  ['the step of a workflow with an unknown code', stuck(workflow), undefined, argo],
  ['the step of a workflow that does not own the pod', stuck({ ...workflow, owner: undefined }), 1, argo],
  ['nothing in a workflow if the main failed before', stuck(workflow, 7), 1, nothing],
  ['all if the owner is a Job of Volcano', stuck(ownedBy('batch.volcano.sh', 'Job')), 143, otherOwner],
  ['all if the owner is a Workflow, but the pod is not marked as Argo’s', candidate(podView({ ...supervised, argo: undefined })), 143, otherOwner],
  ['all if the owner is a JobSet', stuck(ownedBy('jobset.x-k8s.io', 'JobSet')), 143, otherOwner],
  ['all if the owner is of Kubeflow', stuck(ownedBy('kubeflow.org', 'TFJob')), undefined, otherOwner],
  ['all if the owner is of Tekton', stuck(ownedBy('tekton.dev', 'TaskRun')), 137, otherOwner],
  ['all if another owner’s pod is restarted under OnFailure', stuck({ ...ownedBy('batch.volcano.sh', 'Job'), ...onFailure }), 137, otherOwner],
  ['all if an owner does not control it', stuck(ownedLoosely), 143, otherOwner],
  ['nothing more if its main failed before', stuck(ownedLoosely, 7), 143, nothing],
  ['all if an owner does not control it, and a platform made the pod', stuck({ ...ownedLoosely, ...airflow, ...onFailure }), undefined, otherOwner],
  ['nothing if the main of another owner failed before', stuck(ownedBy('batch.volcano.sh', 'Job'), 7), 143, nothing],
])('without a Job of Kubernetes, an unclean end costs %s', (_title, of, exitCode, expected) => {
  expect(costs(of, jobFacts(), exitCode)).toEqual(expected);
});

describe('in a Job, an unclean end costs', () => {
  it.each<readonly [title: string, JobFacts | undefined, UncleanCost]>([
    ['the Job if nothing is known of it', undefined, unread],
    ['the Job if it cannot be read', { kind: 'Unreadable' }, unread],
    ['nothing if it is gone', { kind: 'Gone' }, nothing],
    ['nothing if it is complete', jobFacts({ complete: true, backoffLimit: 0 }), nothing],
    ['nothing if it has failed', jobFacts({ failed: 'BackoffLimitExceeded', backoffLimit: 0 }), nothing],
    ['nothing if it has failed without a reason', jobFacts({ failed: '', backoffLimit: 0 }), nothing],
  ])('%s', (_title, job, expected) => {
    for (const of of [stuck(), stuck(onFailure)]) {
      expect(costs(of, job, 143)).toEqual(expected);
      expect(costs(of, job, undefined)).toEqual(expected);
    }
  });

  it.each<readonly [title: string, JobFacts, UncleanCost]>([
    ['the Job', jobFacts({ otherController }), otherOwner],
    ['nothing if it is complete', jobFacts({ otherController, complete: true }), nothing],
    ['nothing if it has failed', jobFacts({ otherController, failed: '' }), nothing],
  ])('if another controller manages it: %s', (_title, job, expected) => {
    for (const of of [stuck(), stuck(onFailure)]) expect(costs(of, job, 143)).toEqual(expected);
    expect(consequenceOf(podView(), job, [{ container: 'sidecar', exitCode: 143 }])).toEqual(expected);
    expect(costs(stuck({}, 7), job, 143)).toEqual(nothing);
  });

  it('as much if its pods are those of a platform', () => {
    const of = stuck({ labels: airflow.labels });
    expect(costs(of, jobFacts(), 143)).toEqual(anotherRun);
    expect(costs(of, { kind: 'Gone' }, 143)).toEqual(nothing);
  });

  it('nothing if a main failed before, whatever can be read of it', () => {
    const unreadable = { kind: 'Unreadable' } as const;
    for (const job of [undefined, unreadable, jobFacts(), jobFacts({ backoffLimit: 0 })]) {
      expect(costs(stuck({}, 7), job, 143)).toEqual(nothing);
    }
  });
});

describe('under Never, without rules, it costs', () => {
  // Recorded: job-backoff-limit-zero-never fails with BackoffLimitExceeded after its first failed pod.
  // biome-ignore format: as many as fit on a line
  it.each<readonly [backoffLimit: number, failedPods: number, UncleanCost]>([
    [6, 0, anotherRun], [6, 5, anotherRun], [6, 6, noRetries], [6, 7, noRetries], [1, 0, anotherRun],
    [1, 1, noRetries], [0, 0, noRetries], [2_147_483_647, 1_000, anotherRun],
  ])('with backoffLimit %i and %i failed pods: %o', (backoffLimit, failedPods, expected) => {
    for (const exitCode of [1, 137, 143, undefined]) {
      expect(costs(stuck(), jobFacts({ backoffLimit, failedPods }), exitCode)).toEqual(expected);
    }
  });

  it('the same however often its containers were restarted', () => {
    expect(costs(stuck({ restarts: 50 }), jobFacts({}, 50), 143)).toEqual(anotherRun);
  });
});

// Recorded: job-work-queue-after-success.
describe('in a work queue of which a pod has succeeded, it costs', () => {
  const queue = { completions: undefined, succeededPods: 1 };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Partial<JobView>, UncleanCost]>([
    ['as much as another run, because its limit counts the failure', queue, anotherRun],
    ['another run before one has', { ...queue, succeededPods: 0 }, anotherRun],
    ['another run of a Job with completions', { ...queue, completions: 3 }, anotherRun],
    ['the Job without retries left', { ...queue, failedPods: 6 }, noRetries],
    ['the Job if a rule says so', { ...queue, failureRules: [onExitCodes('FailJob', [143])] }, byPolicy],
    ['nothing if a rule ignores it', { ...queue, failedPods: 6, failureRules: [onExitCodes('Ignore', [143])] }, nothing],
  ])('%s', (_title, job, expected) => {
    expect(costs(stuck(), jobFacts(job), 143)).toEqual(expected);
  });

  it('the Job under OnFailure if it has no restarts left', () => {
    expect(costs(stuck(onFailure), jobFacts(queue, 5), 143)).toEqual(noRetries);
    expect(costs(stuck(onFailure), jobFacts(queue, 4), 143)).toEqual(restart);
  });
});

describe('under OnFailure, it costs', () => {
  // Recorded: job-backoff-limit-zero-onfailure fails at its first restart; 0 counts as 1.
  // biome-ignore format: as many as fit on a line
  it.each<readonly [backoffLimit: number, restarts: number, UncleanCost]>([
    [6, 0, restart], [6, 4, restart], [6, 5, noRetries], [6, 9, noRetries], [2, 0, restart],
    [2, 1, noRetries], [1, 0, noRetries], [0, 0, noRetries],
  ])('with backoffLimit %i and %i restarts in all pods: %o', (backoffLimit, restarts, expected) => {
    for (const exitCode of [1, 143, undefined]) {
      expect(costs(stuck(onFailure), jobFacts({ backoffLimit }, restarts), exitCode)).toEqual(expected);
    }
  });

  it('another run if the step ends the whole pod, which is then not restarted', () => {
    const end = { container: 'sidecar', exitCode: undefined, withPod: true };
    expect(costOf(stuck(onFailure), jobFacts({}, 5), end)).toEqual(anotherRun);
  });

  it('no failed pod, and no rule about one', () => {
    const failureRules: readonly FailureRule[] = [onExitCodes('FailJob', [143])];
    expect(costs(stuck(onFailure), jobFacts({ failureRules, failedPods: 50 }), 143)).toEqual(restart);
  });
});

describe('with a podFailurePolicy, it costs', () => {
  const ofSidecar = { container: 'sidecar' };
  const ofMain = { container: 'main' };
  const everyCode = Array.from({ length: 255 }, (_, code) => code + 1);

  // biome-ignore format: one row a line
  it.each<[title: string, readonly FailureRule[], exitCode: number | undefined, UncleanCost, limit?: number]>([
    ['the Job if a rule says so (recorded)', [onExitCodes('FailJob', [143])], 143, byPolicy],
    ['the Job if its rule is about this container', [onExitCodes('FailJob', [143], ofSidecar)], 143, byPolicy],
    ['another run if its rule is about another container', [onExitCodes('FailJob', [143], ofMain)], 143, anotherRun],
    ['another run if its rule is about another code', [onExitCodes('FailJob', [143])], 137, anotherRun],
    ['the Job if the code may be that of the rule', [onExitCodes('FailJob', [143])], undefined, byPolicy],
    ['another run if no code can be that of the rule', [onExitCodes('FailJob', [143], ofMain)], undefined, anotherRun],
    ['the Job if the code is not among those of the rule', [onExitCodes('FailJob', [143], { operator: 'NotIn' })], 1, byPolicy],
    ['another run if it is', [onExitCodes('FailJob', [143], { operator: 'NotIn' })], 143, anotherRun],
    ['another run if a rule ignores it (recorded), without any retries', [onExitCodes('Ignore', [143])], 143, anotherRun, 0],
    ['the Job if an unknown code may not be ignored', [onExitCodes('Ignore', [143])], undefined, noRetries, 0],
    ['another run if every code is ignored', [onExitCodes('Ignore', everyCode)], undefined, anotherRun, 0],
    ['another run if every code but 0 is ignored', [onExitCodes('Ignore', [0], { operator: 'NotIn' })], undefined, anotherRun, 0],
    ['what the first rule says', [onExitCodes('Ignore', [143]), onExitCodes('FailJob', [143])], 143, anotherRun],
    ['what the first rule that fits says', [onExitCodes('Ignore', [1]), onExitCodes('FailJob', [143])], 143, byPolicy],
    ['a retry if a rule counts it', [onExitCodes('Count', [143]), onExitCodes('FailJob', [143])], 143, anotherRun],
    ['the last retry if a rule counts it', [onExitCodes('Count', [143])], 143, noRetries, 0],
    ['the Job if a rule says something unknown', [onExitCodes('FailEverything', [143])], 143, byPolicy],
    ['the Job if the rule fails an index that it has not', [onExitCodes('FailIndex', [143])], 143, byPolicy],
  ])('%s', (_title, failureRules, exitCode, expected, backoffLimit = 6) => {
    expect(costs(stuck(), jobFacts({ failureRules, backoffLimit }), exitCode)).toEqual(expected);
  });

  describe('on conditions of the pod, it costs', () => {
    const atEvery: readonly (number | undefined)[] = [1, 143, undefined];
    const gated = [{ type: 'example.com/gate', status: 'True' }];
    const disrupted = [{ type: 'DisruptionTarget', status: 'True' }];
    const unknown: FailureRule = { action: 'FailJob', on: { kind: 'Unknown' } };

    // biome-ignore format: one row a line
    it.each<[title: string, readonly FailureRule[], UncleanCost, set?: PodView['conditions'], limit?: number]>([
      ['the Job if every failed pod matches', [onPodConditions('FailJob', 'Ready=False')], byPolicy],
      ['the Job by its containers', [onPodConditions('FailJob', 'ContainersReady=False')], byPolicy],
      ['another run if no failed pod matches', [onPodConditions('FailJob', 'Ready')], anotherRun],
      ['another run if the pod matches only before it fails', [onPodConditions('FailJob', 'Ready=True')], anotherRun, [{ type: 'Ready', status: 'True' }]],
      ['the Job if the pod matches already', [onPodConditions('FailJob', 'example.com/gate')], byPolicy, gated],
      ['another run with another status', [onPodConditions('FailJob', 'example.com/gate=False')], anotherRun, gated],
      ['another run if only another condition has the status', [onPodConditions('FailJob', 'example.com/other')], anotherRun, gated],
      ['another run without the condition', [onPodConditions('FailJob', 'example.com/gate=False')], anotherRun],
      ['the Job if one of several patterns matches', [onPodConditions('FailJob', 'example.com/other', 'example.com/gate')], byPolicy, gated],
      ['another run if nothing disrupts the pod', [onPodConditions('FailJob', 'DisruptionTarget')], anotherRun],
      ['the Job if something does', [onPodConditions('FailJob', 'DisruptionTarget')], byPolicy, disrupted],
      ['what the first rule says, about conditions', [onPodConditions('Ignore', 'Ready=False'), onExitCodes('FailJob', [1, 143])], anotherRun, [], 0],
      ['what the first rule says, about codes', [onExitCodes('Ignore', [], { operator: 'NotIn' }), onPodConditions('FailJob', 'Ready=False')], anotherRun, [], 0],
      ['the Job if a condition that may be set by then is not ignored', [onPodConditions('FailJob', 'PodReadyToStartContainers=False')], byPolicy],
      [
        'the Job if a condition that may be set by then is ignored',
        [onPodConditions('Ignore', 'PodReadyToStartContainers=False'), onPodConditions('FailJob', 'Ready=False')],
        byPolicy,
      ],
      ['the Job if a condition that depends on native sidecars is not ignored', [onPodConditions('FailJob', 'Initialized=False')], byPolicy],
      ['the Job if a rule is of an unknown kind', [unknown], byPolicy],
      ['another run if all is ignored before', [onPodConditions('Ignore', 'Ready=False'), unknown], anotherRun],
    ])('%s', (_title, failureRules, expected, conditions = [], backoffLimit = 6) => {
      for (const exitCode of atEvery) {
        const job = jobFacts({ failureRules, backoffLimit });
        expect(costs(stuck({ conditions }), job, exitCode)).toEqual(expected);
      }
    });

    it('the Job if the step that ends the pod may disrupt it', () => {
      const end = { container: 'sidecar', exitCode: undefined, withPod: true };
      const cost = (condition: string, mainCode = 0) =>
        costOf(stuck({}, mainCode), jobFacts({ failureRules: [onPodConditions('FailJob', condition)] }), end);
      expect(cost('DisruptionTarget')).toEqual(byPolicy);
      expect(cost('DisruptionTarget', 7)).toEqual(byPolicy);
      expect(cost('example.com/gate')).toEqual(anotherRun);
    });

    it('nothing more than a failed main does, unless that may be better', () => {
      const cost = (...failureRules: readonly FailureRule[]) =>
        costs(stuck({}, 7), jobFacts({ failureRules }), 143);
      expect(cost(onPodConditions('FailJob', 'Ready=False'), onExitCodes('FailJob', [143]))).toEqual(nothing);
      expect(cost(onPodConditions('FailJob', 'Initialized'), onExitCodes('FailJob', [143]))).toEqual(
        byPolicy,
      );
    });
  });

  it.each<readonly [title: string, FailureRule, UncleanCost]>([
    ['may have the code of a rule', onExitCodes('FailJob', [137]), byPolicy],
    ['may have it by name', onExitCodes('FailJob', [137], { container: 'mesh' }), byPolicy],
    ['may have any other code', onExitCodes('FailJob', [143], { operator: 'NotIn' }), byPolicy],
    ['is no other container', onExitCodes('FailJob', [137], { container: 'main' }), anotherRun],
    ['does not fail with 0', onExitCodes('FailJob', [0], { container: 'mesh' }), anotherRun],
  ])('a native sidecar that the kubelet ends with the pod %s', (_title, failureRule, expected) => {
    const of = stuck({ nativeSidecars: [nativeSidecar('mesh')] });
    expect(costs(of, jobFacts({ failureRules: [failureRule] }), 143)).toEqual(expected);
  });

  it('more than a failed main did, only if the rule that then fits is worse', () => {
    const cost = (...failureRules: readonly FailureRule[]) =>
      costs(stuck({}, 7), jobFacts({ failureRules }), 143);
    expect(cost(onExitCodes('FailJob', [143], ofSidecar))).toEqual(byPolicy);
    expect(cost(onExitCodes('FailJob', [143], ofSidecar), onExitCodes('Ignore', [7]))).toEqual(byPolicy);
    expect(cost(onExitCodes('Ignore', [7], ofMain), onExitCodes('FailJob', [143], ofSidecar))).toEqual(
      nothing,
    );
    expect(cost(onExitCodes('FailJob', [7, 143]))).toEqual(nothing);
  });
});

const failedBefore = (times: string) => ({
  annotations: {
    'sidecar-sweeper.dev/sidecars': 'sidecar',
    'batch.kubernetes.io/job-index-failure-count': times,
  },
});
const limits = (more: Partial<IndexLimits> = {}): Partial<JobView> => ({
  // The server's default for such a Job.
  backoffLimit: 2_147_483_647,
  perIndex: { retries: 1, maxFailed: undefined, failed: 0, ...more },
});

// biome-ignore format: one row a line
it.each<readonly [title: string, Partial<PodView>, Partial<JobView>, UncleanCost]>([
  ['another run if the index has a retry left', {}, limits(), anotherRun],
  ['another run if its failures are written as 0', failedBefore('0'), limits(), anotherRun],
  ['the index if it has none left', failedBefore('1'), limits(), index],
  ['the index if it never had one', {}, limits({ retries: 0 }), index],
  ['the Job if that has a limit of its own, which is reached', {}, { ...limits({ retries: 6 }), backoffLimit: 3, failedPods: 3 }, noRetries],
  ['the Job if one more failed index is too many', {}, limits({ retries: 0, maxFailed: 0 }), noRetries],
  ['the Job if as many have failed as may', failedBefore('1'), limits({ maxFailed: 3, failed: 3 }), noRetries],
  ['the index if one more may fail', failedBefore('1'), limits({ maxFailed: 3, failed: 2 }), index],
  ['the index if a rule says so, whatever is left', {}, { ...limits(), failureRules: [onExitCodes('FailIndex', [143])] }, index],
  ['the Job if a rule fails the last index that may', {}, { ...limits({ maxFailed: 0 }), failureRules: [onExitCodes('FailIndex', [143])] }, noRetries],
  ['another run if a rule ignores it', failedBefore('1'), { ...limits(), failureRules: [onExitCodes('Ignore', [143])] }, anotherRun],
  ['the Job if a rule says so', {}, { ...limits(), failureRules: [onExitCodes('FailJob', [143])] }, byPolicy],
])('with retries for each index, it costs %s', (_title, pod, job, expected) => {
  expect(costs(stuck(pod), jobFacts(job), 143)).toEqual(expected);
});

const withOwn = (own: Partial<ContainerView>, more: Partial<PodView> = {}): Candidate =>
  candidate(podWithSidecar(own, more));

// biome-ignore format: one row a line
it.each<readonly [title: string, Candidate, exitCode: number | undefined, UncleanCost]>([
  ['a restart that no Job counts, under Never', withOwn({ restartPolicy: 'OnFailure' }), 143, restart],
  ['a restart if a rule matches the code', withOwn({ restartRules: [restartIn(143)] }), 143, restart],
  ['another run with any other code', withOwn({ restartRules: [restartIn(143)] }), 1, anotherRun],
  ['another run if the code is unknown', withOwn({ restartRules: [restartIn(143)] }), undefined, anotherRun],
  ['another run under OnFailure', withOwn({ restartPolicy: 'Never' }, onFailure), 143, anotherRun],
])('a sidecar that has a restart policy or rules of its own costs %s', (_title, of, exitCode, expected) => {
  expect(costs(of, jobFacts({ backoffLimit: 1 }), exitCode)).toEqual(expected);
});

describe('what a Job does once containers of a pod have failed', () => {
  const failed = [{ container: 'sidecar', exitCode: 143 }];

  it.each<readonly [title: string, Partial<PodView>, JobFacts | undefined, UncleanCost]>([
    ['is unknown if it was not read', {}, undefined, unread],
    ['is unknown if it cannot be read', {}, { kind: 'Unreadable' }, unread],
    ['is nothing if it is gone', {}, { kind: 'Gone' }, nothing],
    ['is nothing if it is complete', {}, jobFacts({ complete: true }), nothing],
    ['is nothing if it has failed', {}, jobFacts({ failed: 'DeadlineExceeded' }), nothing],
    ['is another run', {}, jobFacts(), anotherRun],
    ['is to fail without retries', {}, jobFacts({ backoffLimit: 0 }), noRetries],
    ['is to count a restart under OnFailure', onFailure, jobFacts(), restart],
    ['is to fail under OnFailure without restarts left', onFailure, jobFacts({}, 5), noRetries],
  ])('%s', (_title, pod, job, expected) => {
    expect(consequenceOf(podView(pod), job, failed)).toEqual(expected);
  });

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Partial<ContainerView>, Partial<PodView>, UncleanCost]>([
    ['another run of a pod that a container without restarts fails', { restartPolicy: 'Never' }, onFailure, anotherRun],
    ['a restart of a container that restarts in a pod that does not', { restartPolicy: 'OnFailure' }, {}, restart],
  ])('is %s', (_title, own, more, expected) => {
    expect(consequenceOf(podWithSidecar(own, more), jobFacts({}, 4), failed)).toEqual(expected);
  });

  it('is a restart as soon as one of them is restarted', () => {
    const of = podWithSidecar({ restartPolicy: 'OnFailure' });
    expect(consequenceOf(of, jobFacts(), [{ container: 'main', exitCode: 7 }, ...failed])).toEqual(restart);
  });

  it('is what its rules say of any of them', () => {
    const job = jobFacts({ failureRules: [onExitCodes('FailJob', [7], { container: 'main' })] });
    expect(consequenceOf(podView(), job, failed)).toEqual(anotherRun);
    expect(consequenceOf(podView(), job, [...failed, { container: 'main', exitCode: 7 }])).toEqual(byPolicy);
  });
});

describe('the order of costs', () => {
  const inOrder = [nothing, restart, anotherRun, index, noRetries];

  it('is from nothing to the whole Job', () => {
    expect(inOrder.map(rank)).toEqual([0, 1, 2, 3, 4]);
  });

  it('gives the worst of several, the first of equal ones', () => {
    expect(worst([])).toEqual(nothing);
    expect(worst([...inOrder].reverse())).toEqual(noRetries);
    expect(worst([restart, index, anotherRun])).toEqual(index);
    expect(worst([otherOwner, noRetries])).toEqual(otherOwner);
  });
});
