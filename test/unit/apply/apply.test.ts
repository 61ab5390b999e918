import { describe, expect, it } from 'vitest';
import { applyPlan } from '../../../src/apply/apply.ts';
import type { JobReading } from '../../../src/model/ports.ts';
import type { Emit, PodConclusion, SweepEvent } from '../../../src/plan/sweep-event.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import { jobView } from '../../builders/job.ts';
import { candidate, plannedTarget, podPlan, skippedTarget } from '../../builders/plan.ts';
import { container, exited, now, podView, running } from '../../builders/pod-view.ts';
import { ask, deletePod, podOfTwo, Stage, type StageOptions } from './stage.ts';

function apply(stage: Stage): Promise<unknown> {
  return stage.finish(applyPlan({ ...stage.plan, pods: [...stage.plan.pods] }, stage.options));
}

function concluded(stage: Stage): readonly PodConclusion[] {
  return stage.heard.flatMap((event) => (event.kind === 'PodConcluded' ? [event.conclusion] : []));
}

function warned(stage: Stage): readonly SweepEvent[] {
  return stage.heard.filter(({ kind }) => kind === 'Warned');
}

/** A plan to ask `sidecar` to end. */
function quit(more: Partial<PodPlan> = {}): PodPlan {
  return podPlan({ targets: [plannedTarget({ steps: [ask('quit')] })], ...more });
}

const complete: JobReading = { kind: 'Present', job: jobView({ complete: true }) };
const active: JobReading = { kind: 'Present', job: jobView() };

/** A pod whose sidecar ends with this code when it is asked to, and the phase that follows 1.5 s later. */
function ending(exitCode: number, options: StageOptions = {}): Stage {
  const stage = new Stage({
    plans: [quit()],
    asked: () => {
      stage.end('sidecar', exitCode);
      const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
      stage.after(1_500, () => stage.change({ phase, awaitsJobTracking: false }));
      return { kind: 'Accepted' };
    },
    ...options,
  });
  return stage;
}

describe('what became of a pod is what a read shows', () => {
  it('when its phase has followed the end of the sidecar', async () => {
    const stage = ending(0, { job: complete });
    await apply(stage);
    const attempt = { step: ask('quit'), sentAt: now, duration: 0, result: { kind: 'Accepted' } };
    expect(concluded(stage)).toEqual([
      {
        pod: stage.ref,
        targets: [
          {
            container: 'sidecar',
            attempts: [attempt],
            outcome: { kind: 'Stopped', exitCode: 0 },
            endedAt: now,
          },
        ],
        outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'Complete' } },
      },
    ]);
    expect(warned(stage)).toEqual([]);
  });

  it('when the sidecar is still running', async () => {
    const stage = new Stage({ plans: [quit()] });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([
      {
        targets: [{ outcome: { kind: 'StillRunning', because: { kind: 'Outlived' } }, endedAt: undefined }],
        outcome: { kind: 'Stuck' },
      },
    ]);
  });

  it('for each of its sidecars, in the order of the plan', async () => {
    const asked = plannedTarget({ container: 'b', containerId: 'containerd://b-0', steps: [ask('quit')] });
    const stage = new Stage({
      pod: podOfTwo(),
      plans: [podPlan({ candidate: candidate(podOfTwo()), targets: [skippedTarget('a'), asked] })],
    });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([
      {
        targets: [
          { container: 'a', attempts: [], outcome: { kind: 'Skipped' }, endedAt: undefined },
          { container: 'b', outcome: { kind: 'StillRunning' } },
        ],
        outcome: { kind: 'Stuck' },
      },
    ]);
  });
});

it('a pod whose sidecars were all skipped is not read again', async () => {
  const stage = new Stage({ plans: [podPlan({ targets: [skippedTarget()] })] });
  await apply(stage);
  expect(concluded(stage)).toMatchObject([{ outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } } }]);
  expect(stage.reads).toBe(0);
});

describe('harm to the Job', () => {
  const job = podView().owner;
  const warning = { kind: 'JobHarmed', namespace: 'demo', name: 'work-x2k9p', job: 'work' } as const;
  const failed: JobReading = { kind: 'Present', job: jobView({ failed: 'BackoffLimitExceeded' }) };

  it('is in the conclusion and in a warning if finished work runs again', async () => {
    const stage = ending(143, { job: active });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([
      {
        outcome: { kind: 'Ended', phase: 'Failed', job: { kind: 'RunsAgain' } },
        harm: { kind: 'RunsAgain', permitted: false, job },
      },
    ]);
    expect(warned(stage)).toEqual([{ kind: 'Warned', warning: { ...warning, harm: 'RunsAgain' } }]);
  });

  it('is not, when the work had failed', async () => {
    const pod = podView({ containers: [container('main', exited(7)), container('sidecar', running)] });
    const stage = ending(143, { job: active, plans: [quit({ candidate: candidate(pod) })] });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([{ outcome: { job: { kind: 'RunsAgain' } } }]);
    expect(concluded(stage)[0]?.harm).toBeUndefined();
    expect(warned(stage)).toEqual([]);
  });

  it('is not, when the pod was drained meanwhile', async () => {
    const stage: Stage = ending(143, {
      job: failed,
      asked: () => {
        stage.end('sidecar', 143);
        stage.change({ disrupted: true, deleting: true, phase: 'Failed' });
        return { kind: 'Accepted' };
      },
    });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([{ outcome: { job: { kind: 'Failed' } } }]);
    expect(warned(stage)).toEqual([]);
  });

  it('is proved by the Job of a pod that was restarted, and then deleted by the Job', async () => {
    const pod = podView({ restartPolicy: 'OnFailure' });
    const stage: Stage = new Stage({
      plans: [quit({ candidate: candidate(pod) })],
      job: failed,
      asked: () => {
        stage.restart('sidecar');
        stage.change({ restarts: 1 });
        stage.after(3_000, () => {
          stage.shown = { kind: 'Gone' };
        });
        return { kind: 'Accepted' };
      },
    });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([
      { outcome: { kind: 'Gone', job: { kind: 'Failed' } }, harm: { kind: 'JobFailed', permitted: false } },
    ]);
    expect(warned(stage)).toEqual([{ kind: 'Warned', warning: { ...warning, harm: 'JobFailed' } }]);
  });
});

describe('an error is the outcome of its own pod', () => {
  const sound = candidate(podView({ ref: { namespace: 'demo', name: 'sound', uid: 'uid-sound' } }));
  const target = plannedTarget({ steps: [ask('quit', {})] });
  const plans = [podPlan({ targets: [target] }), podPlan({ candidate: sound, targets: [target] })];

  /** Throws when this event is about the pod that is not sound. */
  function applyUnheard(stage: Stage, kind: SweepEvent['kind']): Promise<unknown> {
    const emit: Emit = (event) => {
      if (event.kind === kind && 'pod' in event && event.pod.uid === stage.ref.uid) {
        throw new Error('out of paper');
      }
      stage.options.emit(event);
    };
    return stage.finish(applyPlan({ ...stage.plan, pods: [...stage.plan.pods] }, { ...stage.options, emit }));
  }

  it('which is not proved if something was sent, and the others go on', async () => {
    const stage = new Stage({ plans });
    await applyUnheard(stage, 'StepSent');
    const problem = 'internal error while sweeping demo/work-x2k9p: Error: out of paper';
    expect(concluded(stage)).toMatchObject([
      { pod: stage.ref, targets: [{ attempts: [{}] }], outcome: { kind: 'Unproven', problem } },
      { pod: sound.pod.ref, outcome: { kind: 'Stuck' } },
    ]);
    expect(stage.heard).toContainEqual(
      expect.objectContaining({
        kind: 'FaultFound',
        fault: expect.objectContaining({ message: 'Error: out of paper' }),
      }),
    );
  });

  it('which was not attempted if nothing was', async () => {
    const broken = Object.defineProperty({ ...target }, 'steps', {
      get() {
        throw new Error('out of paper');
      },
    });
    const [, other = podPlan()] = plans;
    const stage = new Stage({ plans: [podPlan({ targets: [broken] }), other] });
    await apply(stage);
    expect(concluded(stage)).toMatchObject([
      {
        targets: [{ attempts: [], outcome: { kind: 'NotAttempted', reason: 'InternalError' } }],
        outcome: { kind: 'NotAttempted', reason: 'InternalError' },
      },
      { pod: sound.pod.ref, outcome: { kind: 'Stuck' } },
    ]);
  });
});

it('what was held is warned of once, when all pods are done', async () => {
  const held = plannedTarget({ steps: [ask('quit', { blocked: 'UnknownEnd' })] });
  const stage = new Stage({ plans: [podPlan({ targets: [held] }), podPlan({ targets: [held] })] });
  await apply(stage);
  expect(concluded(stage).map(({ outcome }) => outcome)).toEqual([
    { kind: 'Blocked', reason: 'UnknownEnd' },
    { kind: 'Blocked', reason: 'UnknownEnd' },
  ]);
  const { image } = plannedTarget();
  const warning = { kind: 'Blocked', image, method: 'Command', reason: 'UnknownEnd', pods: 1 };
  expect(warned(stage)).toEqual([{ kind: 'Warned', warning }]);
  expect(stage.heard.at(-1)).toEqual({ kind: 'Warned', warning });
});

it('what was held and then ended by the last resort is not warned of', async () => {
  const held = plannedTarget({ steps: [ask('quit', { blocked: 'UnknownEnd' })] });
  const stage = new Stage({
    plans: [podPlan({ targets: [held], lastResort: [deletePod] })],
    written: () => {
      stage.shown = { kind: 'Gone' };
      return { kind: 'Written' };
    },
  });
  await apply(stage);
  expect(stage.sent).toEqual(['delete']);
  expect(concluded(stage)).toMatchObject([{ outcome: { kind: 'Gone' } }]);
  expect(warned(stage)).toEqual([]);
});
