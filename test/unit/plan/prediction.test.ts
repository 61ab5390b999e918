import { describe, expect, it } from 'vitest';
import type { PodView } from '../../../src/model/pod.ts';
import type { JobFacts } from '../../../src/model/reading.ts';
import type { Prediction } from '../../../src/model/step.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import { predict } from '../../../src/plan/prediction.ts';
import type { PlannedStep, PodPlan, Target } from '../../../src/plan/sweep-plan.ts';
import { jobFacts, onExitCodes } from '../../builders/job.ts';
import { candidate, plannedTarget, skippedTarget, step, steps } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

function stuck(exitCodes: readonly number[], more: Partial<PodView> = {}): Candidate {
  const mains = exitCodes.map((code, index) => container(`main-${index}`, exited(code)));
  return candidate(podView({ containers: [...mains, container('sidecar', running)], ...more }));
}

const noJob = { owner: undefined };
const workflow = { owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'w' } };
const onFailure = { restartPolicy: 'OnFailure' } as const;

const targetOf = (...planned: readonly PlannedStep[]) => plannedTarget({ steps: planned });
const clean = targetOf(step(15, { exitCode: 0 }), step(9, { exitCode: 137 }));
const killed = targetOf(step(9, { exitCode: 137 }));
const unknown = targetOf(step());
const none = targetOf();
const ended = (exitCode: number): Target => {
  return { ...skippedTarget(), outcome: { kind: 'AlreadyEnded', exitCode } };
};
const swap: PlannedStep = { ...steps.ImageSwap, exitCode: 0 };
const swapOfOthers: PlannedStep = { ...swap, only: [] };

/** The prediction for these targets, by default in a Job with retries left. */
function predicted(
  of: Candidate,
  targets: readonly Target[],
  more: Partial<Pick<PodPlan, 'swap' | 'lastResort'>> = {},
  job: JobFacts | undefined = jobFacts(),
): Prediction {
  const steps = { targets, swap: undefined, lastResort: [], ...more };
  return predict({ candidate: of, job }, steps);
}

// biome-ignore format: one row a line
it.each<readonly [title: string, Candidate, readonly Target[], Prediction]>([
  ['whose sidecar ends with 0: its Job completes', stuck([0]), [clean], { exitCode: 0, phase: 'Succeeded', job: 'Completes' }],
  ['whose sidecars all end with 0, one of them by the last resort', stuck([0]), [clean, none], { exitCode: 0, phase: 'Succeeded', job: 'Completes' }],
  ['without a Job whose sidecar ends with 0', stuck([0], noJob), [clean], { exitCode: 0, phase: 'Succeeded', job: 'NoJob' }],
  ['whose sidecar is known to end unclean: its Job runs again', stuck([0]), [killed], { exitCode: 137, phase: 'Failed', job: 'RunsAgain' }],
  ['with one sidecar that ends unclean', stuck([0]), [clean, killed], { exitCode: 137, phase: 'Failed', job: 'RunsAgain' }],
  ['with an unclean sidecar and an unknown one', stuck([0]), [unknown, killed], { exitCode: 137, phase: 'Failed', job: 'RunsAgain' }],
  ['of a workflow whose sidecar ends unclean', stuck([0], workflow), [killed], { exitCode: 137, phase: 'Failed', job: 'NoJob' }],
  ['whose sidecar ends with an unknown code', stuck([0]), [unknown], { phase: 'Unknown', job: 'Unknown' }],
  ['with one sidecar that ends with an unknown code', stuck([0]), [clean, unknown], { phase: 'Unknown', job: 'Unknown' }],
  ['whose sidecar is skipped', stuck([0]), [skippedTarget()], { phase: 'Running', job: 'StaysActive' }],
  ['without a Job whose sidecar is skipped', stuck([0], noJob), [clean, skippedTarget()], { phase: 'Running', job: 'NoJob' }],
  ['whose sidecar was swapped before, and is being replaced', stuck([0]), [{ ...skippedTarget(), outcome: { kind: 'StillRunning', because: { kind: 'SwapUnderWay' } } }], { phase: 'Unknown', job: 'Unknown' }],
  ['with one sidecar that had ended clean', stuck([0]), [clean, ended(0)], { exitCode: 0, phase: 'Succeeded', job: 'Completes' }],
  ['with one sidecar that had ended unclean', stuck([0]), [ended(3), clean], { exitCode: 3, phase: 'Failed', job: 'RunsAgain' }],
  ['whose main failed: the Job retries, as it should', stuck([7]), [clean], { exitCode: 0, phase: 'Failed', job: 'RunsAgain' }],
  ['with one main that failed', stuck([0, 7]), [clean], { exitCode: 0, phase: 'Failed', job: 'RunsAgain' }],
  ['without a Job whose main failed', stuck([7], noJob), [unknown], { phase: 'Failed', job: 'NoJob' }],
  ['under OnFailure whose sidecar ends with 0', stuck([0], onFailure), [clean], { exitCode: 0, phase: 'Succeeded', job: 'Completes' }],
  ['under OnFailure whose sidecar ends unclean: it is restarted', stuck([0], onFailure), [killed], { exitCode: 137, phase: 'Running', job: 'StaysActive' }],
  ['under OnFailure without a Job whose sidecar ends unclean', stuck([0], { ...onFailure, ...noJob }), [killed], { exitCode: 137, phase: 'Running', job: 'NoJob' }],
])('the prediction for a pod %s', (_title, pod, targets, expected) => {
  expect(predicted(pod, targets, { lastResort: [swap] })).toStrictEqual(expected);
});

// biome-ignore format: one row a line
it.each<readonly [title: string, JobFacts | undefined, Prediction['job']]>([
  ['completes after its last completion', jobFacts({ completions: 3, succeededPods: 2 }), 'Completes'],
  ['waits for its other pods', jobFacts({ completions: 3, succeededPods: 1 }), 'StaysActive'],
  ['completes if all of its candidates end', { ...jobFacts({ completions: 3, succeededPods: 1 }), finished: 2 } as JobFacts, 'Completes'],
  ['may have enough successes by its successPolicy', jobFacts({ completions: 3, hasSuccessPolicy: true }), 'Unknown'],
  ['fails in the end, because an index of it has', jobFacts({ completions: 3, failedIndexes: [[0, 0]] }), 'Unknown'],
  ['is a work queue', jobFacts({ completions: undefined }), 'Unknown'],
  ['has failed', jobFacts({ failed: 'DeadlineExceeded' }), 'Unknown'],
  ['is managed by another controller', jobFacts({ otherController: 'example.com/queue' }), 'Unknown'],
  ['cannot be read', { kind: 'Unreadable' }, 'Unknown'],
])('the prediction after a success for a Job that %s', (_title, job, expected) => {
  expect(predicted(stuck([0]), [clean], {}, job)).toStrictEqual({ exitCode: 0, phase: 'Succeeded', job: expected });
});

describe('the first step that is not blocked decides:', () => {
  const succeeds = { exitCode: 0, phase: 'Succeeded', job: 'Completes' };
  const staysUp = { phase: 'Running', job: 'StaysActive' };
  const known = step(9, { exitCode: 137, blocked: 'KnownUnclean' });
  const forbidden = step(15, { blocked: 'UnknownEnd' });

  const unsure = { phase: 'Unknown', job: 'Unknown' };
  const failed = { exitCode: 137, phase: 'Failed', job: 'RunsAgain' };
  const uncertain = plannedTarget({ steps: [], uncertain: [step()] });
  const blockedSwap: PlannedStep = { ...swap, blocked: 'UnknownEnd' };
  const deletion: PlannedStep = { ...steps.Delete, exitCode: 137 };

  // biome-ignore format: one row a line
  it.each<readonly [title: string, targets: readonly Target[], more: Partial<PodPlan>, object, Partial<PodView>]>([
    ['not a swap as the last resort, if its image is not meant for the sidecar', [targetOf(forbidden)], { lastResort: [swapOfOthers] }, staysUp, {}],
    ['a step that ends the pod fails it, whatever the restartPolicy', [none], { lastResort: [deletion] }, failed, onFailure],
    ['a step that ends the pod fails it, whatever is left of its sidecars', [none, skippedTarget('other')], { lastResort: [deletion] }, failed, {}],
    ['none, if all steps are blocked', [targetOf(forbidden, known)], {}, staysUp, {}],
    ['none, if the last resort is blocked as well', [targetOf(known)], { lastResort: [blockedSwap] }, staysUp, {}],
    ['a step whose code is not known', [targetOf(known, step(15))], { lastResort: [swap] }, unsure, {}],
    ['an image swap, before steps whose end is uncertain', [uncertain], { swap }, succeeds, {}],
    ['but not a swap that is blocked', [uncertain], { swap: blockedSwap }, unsure, {}],
    ['nor one for other sidecars', [uncertain], { swap: swapOfOthers }, unsure, {}],
  ])('%s', (_title, targets, more, expected, pod) => {
    expect(predicted(stuck([0], pod), targets, more)).toStrictEqual(expected);
  });
});

describe('the Job of a pod that fails', () => {
  const fails = { exitCode: 137, phase: 'Failed', job: 'Fails' };
  const perIndex = { retries: 0, maxFailed: undefined, failed: 0 };
  const rule = (action: string, ...exitCodes: readonly number[]) => onExitCodes(action, exitCodes);

  // biome-ignore format: one row a line
  it.each<readonly [title: string, JobFacts, Prediction['job']]>([
    ['runs again if it has retries left', jobFacts({ backoffLimit: 1 }), 'RunsAgain'],
    ['fails if it has none left', jobFacts({ backoffLimit: 0 }), 'Fails'],
    ['fails if its podFailurePolicy says so', jobFacts({ failureRules: [rule('FailJob', 137)] }), 'Fails'],
    ['runs again if its podFailurePolicy ignores the code', jobFacts({ failureRules: [rule('Ignore', 137)], backoffLimit: 0 }), 'RunsAgain'],
    ['has an index that fails', jobFacts({ perIndex }), 'IndexFails'],
    ['is a work queue, which replaces no pod after a success', jobFacts({ completions: undefined, succeededPods: 1 }), 'Unknown'],
    ['is managed by another controller', jobFacts({ otherController: 'example.com/queue' }), 'Unknown'],
    ['is gone', { kind: 'Gone' }, 'Unknown'],
    ['has failed before', jobFacts({ failed: 'DeadlineExceeded' }), 'Unknown'],
    ['may do anything if it cannot be read', { kind: 'Unreadable' }, 'Unknown'],
  ])('%s', (_title, job, expected) => {
    expect(predicted(stuck([0]), [killed], {}, job)).toStrictEqual({ ...fails, job: expected });
  });

  it('is read even if a main failed before', () => {
    const expected = { exitCode: 0, phase: 'Failed', job: 'Fails' };
    const ofMain = onExitCodes('FailJob', [7], { container: 'main-0' });
    for (const job of [jobFacts({ backoffLimit: 0 }), jobFacts({ failureRules: [ofMain] })]) {
      expect(predicted(stuck([7]), [clean], {}, job)).toStrictEqual(expected);
    }
  });

  it('fails at the restart of a sidecar under OnFailure, without restarts left', () => {
    const restarted = { exitCode: 137, phase: 'Running' };
    const job = jobFacts({ backoffLimit: 6 }, 5);
    expect(predicted(stuck([0], onFailure), [killed], {}, job)).toStrictEqual({ ...restarted, job: 'Fails' });
    const before = jobFacts({ backoffLimit: 6 }, 4);
    const expected = { ...restarted, job: 'StaysActive' };
    expect(predicted(stuck([0], onFailure), [killed], {}, before)).toStrictEqual(expected);
  });

  it.each<readonly [backoffLimit: number, more: object, Prediction['job']]>([
    [0, {}, 'Fails'],
    [2, {}, 'Completes'],
    [0, { raisesLimit: true }, 'Completes'],
  ])(
    'counts the start of a no-op image under OnFailure: limit %i, %j: %s',
    (backoffLimit, more, expected) => {
      const swapped = { swap: { ...swap, ...more } };
      expect(predicted(stuck([0], onFailure), [none], swapped, jobFacts({ backoffLimit })).job).toBe(
        expected,
      );
      expect(predicted(stuck([0]), [none], swapped, jobFacts({ backoffLimit })).job).toBe('Completes');
    },
  );

  it('counts them on top of what has restarted, and no other step', () => {
    const restarted = stuck([0], { ...onFailure, restarts: 1 });
    const job = jobFacts({ backoffLimit: 2 }, 0);
    const failing = { exitCode: 0, phase: 'Failed', job: 'Fails' };
    expect(predicted(restarted, [none], { swap }, job)).toStrictEqual(failing);
    const one = jobFacts({ backoffLimit: 1 }, 0);
    expect(predicted(restarted, [clean], {}, one)).toMatchObject({ job: 'Completes' });
  });

  it('runs again under OnFailure if the sidecar is not restarted by its own policy', () => {
    const own = container('sidecar', running, { restartPolicy: 'Never' });
    const of = candidate(podView({ ...onFailure, containers: [container('main', exited()), own] }));
    expect(predicted(of, [killed])).toStrictEqual({ exitCode: 137, phase: 'Failed', job: 'RunsAgain' });
  });

  it('is no Job of Kubernetes: nothing is said of it', () => {
    const volcano = { owner: { group: 'batch.volcano.sh', kind: 'Job', name: 'w', uid: 'w' } };
    expect(predicted(stuck([0], volcano), [killed])).toStrictEqual({ ...fails, job: 'NoJob' });
    const expected = { exitCode: 0, phase: 'Succeeded', job: 'NoJob' };
    expect(predicted(stuck([0], volcano), [clean])).toStrictEqual(expected);
  });
});
