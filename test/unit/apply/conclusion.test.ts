import { describe, expect, it } from 'vitest';
import { concludeRun, warningOf } from '../../../src/apply/conclusion.ts';
import type { UncleanExit } from '../../../src/model/step.ts';
import type { PodConclusion } from '../../../src/plan/sweep-event.ts';
import type { PlannedStep } from '../../../src/plan/sweep-plan.ts';
import { presentJob } from '../../builders/job.ts';
import { attemptResults, skippedTarget } from '../../builders/plan.ts';
import { exited, now, podView, waiting } from '../../builders/pod-view.ts';
import {
  asked,
  both,
  changesContainer,
  type Driving,
  deletePod,
  drive,
  ends,
  finishes,
  podOfTwo,
  quit,
  request,
  restarts,
  shows,
  stops,
  swap,
  term,
} from './driven-pod.ts';

const running = presentJob();
const owner = podView().owner;
const targets = [asked([quit])];
const ended = (code: number): Driving => {
  const phase = code === 0 ? 'Succeeded' : 'Failed';
  return { targets, after: { 1000: both(ends('sidecar', code), finishes(phase)) }, jobs: [running] };
};

const failedNoop = { image: 'noop:1', id: 'containerd://sidecar-1', state: exited(128), lastExitCode: 0 };

/** What a pod comes to, at the end of its run or some time after it. */
function conclude(driving: Driving, mode: UncleanExit = 'forbid', later = 0): PodConclusion {
  const { run, job, elapsed } = drive(driving);
  return concludeRun(run, job, mode, now + elapsed + later);
}

const outcomesOf = ({ targets: all }: PodConclusion) => all.map(({ outcome }) => outcome);

describe('what became of a sidecar', () => {
  const skipped = { ...skippedTarget(), containerId: 'containerd://sidecar-0' };
  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, object]>([
    ['is its end by a step, with its time', ended(0), { outcome: { kind: 'Stopped', exitCode: 0 }, endedAt: now + 1_000 }],
    ['stays known of a pod that is gone', { targets, after: { 1000: ends('sidecar', 0), 1500: shows({ kind: 'Gone' }) }, jobs: [{ kind: 'Gone' }] }, { outcome: { kind: 'Stopped', exitCode: 0 }, endedAt: now + 1_000 }],
    ['is not the end of a no-op image that is started again', { targets: [asked([])], swap, after: { 1000: changesContainer('sidecar', failedNoop), 3000: changesContainer('sidecar', { state: waiting() }) } }, { outcome: { kind: 'NotStarted', reason: 'CrashLoopBackOff' } }],
    ['is its own end before any', { targets, after: { 0: ends('sidecar', 3) } }, { outcome: { kind: 'AlreadyEnded', exitCode: 3 }, endedAt: now }],
    ['is that it outlived its steps', { targets }, { outcome: { kind: 'StillRunning', because: { kind: 'Outlived' } }, endedAt: undefined }],
    ['is not proved while its status may lag', { targets: [asked([term])], after: { 1000: stops() } }, { outcome: { kind: 'Unproven' }, endedAt: undefined }],
    ['is not proved if the pod cannot be read in the end', { targets, after: { 4800: shows({ kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } }) } }, { outcome: { kind: 'Unproven', problem: 'no answer' }, endedAt: undefined }],
    ['is that it was skipped', { targets: [skippedTarget()] }, { outcome: skippedTarget().outcome, attempts: [], endedAt: undefined }],
    ['is that it was skipped and still runs', { targets: [skipped] }, { outcome: skipped.outcome }],
    ['is its own end although it was skipped', { targets: [skipped], after: { 0: ends('sidecar', 3) } }, { outcome: { kind: 'AlreadyEnded', exitCode: 3 }, endedAt: now }],
    ['is that nothing was attempted', { targets, after: { 0: stops('Signal') } }, { outcome: { kind: 'NotAttempted', reason: 'Signal' }, attempts: [] }],
  ])('%s', (_title, driving, expected) => {
    expect(conclude(driving).targets).toMatchObject([expected]);
  });

  it('is proved once its status cannot lag any more', () => {
    const cut: Driving = { targets: [asked([request('quit')])], after: { 1000: stops() } };
    expect(outcomesOf(conclude(cut, 'forbid', 23_999))).toMatchObject([{ kind: 'Unproven' }]);
    expect(outcomesOf(conclude(cut, 'forbid', 24_000))).toMatchObject([{ kind: 'StillRunning' }]);
  });

  it('is told for each of them, in the order of the plan', () => {
    const two = { pod: podOfTwo(), targets: [asked([quit], 'b'), skippedTarget('a')] };
    expect(conclude({ ...two })).toMatchObject({
      pod: podOfTwo().ref,
      targets: [
        { container: 'b', attempts: [{ step: quit }] },
        { container: 'a', attempts: [] },
      ],
      outcome: { kind: 'Stuck' },
    });
  });
});

describe('harm', () => {
  const owned: PlannedStep = { ...quit, promisedBy: 'Owner' };
  const by = (step: PlannedStep): Driving => ({ ...ended(143), targets: [asked([step])] });
  const lost = { kind: 'Job', because: 'NoRetriesLeft' } as const;
  const taskRun = podView({ owner: { group: 'tekton.dev', kind: 'TaskRun', name: 't', uid: 't' } });
  const runsAgain = { kind: 'RunsAgain', permitted: false, job: owner };
  const podFailed = { kind: 'PodFailed', permitted: false, job: undefined };
  const jobFailed = { kind: 'JobFailed', permitted: false, job: owner };
  const jobs = [presentJob({ failed: 'BackoffLimitExceeded' })];
  const pod = podView({ restartPolicy: 'OnFailure' });
  const restarted = { 500: restarts() };
  const removed = { ...restarted, 900: shows({ kind: 'Gone' }) };
  const ofTwo: Driving = {
    ...ended(143),
    pod: podOfTwo(),
    targets: [asked([quit], 'a'), asked([owned], 'b')],
  };
  const fails = (name: string) => both(ends(name, 143), finishes('Failed'));

  // biome-ignore format: one row a line
  it.each<readonly [string, Driving, UncleanExit, object | undefined]>([
    ['is none after a clean end', ended(0), 'forbid', undefined],
    ['is what the Job does about an unclean one', ended(143), 'forbid', runsAgain],
    ['is permitted by the operator', ended(143), 'allow', { ...runsAgain, permitted: true }],
    ['is permitted by the owner who promised a clean end', by(owned), 'forbid', { ...runsAgain, permitted: true }],
    ['is permitted by the owner whose promise made the Job fail and remove the pod', { targets: [asked([owned])], pod, after: removed, jobs }, 'forbid', { ...jobFailed, permitted: true }],
    ['is permitted by the owner whose sidecar was started again when the Job failed', { targets: [asked([owned])], pod, after: restarted, jobs }, 'forbid', { ...jobFailed, permitted: true }],
    ['is permitted by the owner of the only promise that was broken', { ...ofTwo, after: { 500: ends('a'), 1000: fails('b') } }, 'forbid', { ...runsAgain, permitted: true }],
    ['is not by a policy that promised it', by({ ...quit, promisedBy: 'Policy' }), 'forbid', runsAgain],
    ['is not by an owner who promised that for another sidecar', { ...ofTwo, after: { 500: ends('b'), 1000: fails('a') } }, 'forbid', runsAgain],
    ['is not by an owner beside whose sidecar another one ended unclean', { ...ofTwo, after: { 500: ends('b', 143), 1000: fails('a') } }, 'forbid', runsAgain],
    ['is not by an owner whose step was followed by the one that did it', { ...ended(143), targets: [asked([owned, { ...term, exitCode: 0 }])], after: { 7000: ends('sidecar', 143), 7100: finishes('Failed') } }, 'forbid', runsAgain],
    ['is expected if the Job was not read', { ...ended(143), after: { 1000: ends('sidecar', 143), 1300: stops() }, jobs: [{ kind: 'Unreadable', problem: { kind: 'TimedOut', message: '' } }] }, 'forbid', { ...runsAgain, expected: true }],
    ['is none if nothing could have worked', { ...by(quit), answers: { quit: [attemptResults.Refused] } }, 'forbid', undefined],
    ['is that a Job failed because of a restart', { targets, pod, after: removed, jobs }, 'forbid', jobFailed],
    ['is none if a Job that would be lost had the time to react', { targets, pod, uncleanCost: lost, after: restarted, jobs: [running] }, 'forbid', undefined],
    // Seen on a real 1.36 kubelet: restart rule for 143, container policy Never.
    ['is none if a restart rule has the sidecar started again under Never', { targets, after: restarted, jobs: [running] }, 'forbid', undefined],
    ['is expected if that Job had no time to', { targets, pod, uncleanCost: lost, after: { ...restarted, 900: stops() }, jobs: [running] }, 'forbid', { ...jobFailed, expected: true }],
    ['is permitted by the owner of the only sidecar that was sent anything before the pod vanished', { targets: [asked([], 'a'), asked([owned], 'b')], lastResort: [{ ...deletePod, blocked: 'KnownUnclean' }], pod: podOfTwo({ restartPolicy: 'OnFailure' }), after: { 500: restarts('b'), 900: shows({ kind: 'Gone' }) }, jobs }, 'forbid', { ...jobFailed, permitted: true }],
    ['is not by an owner beside whose sidecar another one was started again by itself', { ...ended(143), pod: podOfTwo(), targets: [asked([], 'a'), asked([owned], 'b')], after: { 500: restarts('a'), 1000: fails('b') } }, 'forbid', runsAgain],
    ['is that a pod without a Job failed by the code of its sidecar', { ...ended(143), jobs: [], pod: taskRun }, 'forbid', podFailed],
    ['is none to a workflow by a code that it ignores', { ...ended(143), jobs: [], pod: podView({ owner: taskRun.owner, argo: { mains: ['main'] } }) }, 'forbid', undefined],
    ['is that a pod without a Job failed', { targets: [asked([])], lastResort: [deletePod], pod: taskRun, after: { 500: shows({ kind: 'Gone' }) } }, 'forbid', podFailed],
  ])('%s', (_title, driving, mode, expected) => {
    expect(conclude(driving, mode).harm).toEqual(expected);
  });

  const of = (harm: PodConclusion['harm']) => warningOf({ ...conclude(ended(0)), harm });
  const { namespace, name } = podView().ref;

  it('is warned of, with the Job', () => {
    const harm = { kind: 'RunsAgain', permitted: false, job: owner } as const;
    const warning = { kind: 'JobHarmed', namespace, name, job: 'work', harm: 'RunsAgain' };
    expect(of(harm)).toEqual(warning);
    expect(of({ ...harm, expected: true })).toEqual({ ...warning, expected: true });
    expect(of(undefined)).toBeUndefined();
  });

  it('is warned of without a Job', () => {
    const warning = { kind: 'PodHarmed', namespace, name };
    expect(of({ kind: 'PodFailed', permitted: false, job: owner })).toEqual(warning);
    expect(of({ kind: 'RunsAgain', permitted: false, job: undefined })).toEqual(warning);
  });
});
