import { describe, expect, it } from 'vitest';
import { isProtected, predict } from '../../../src/plan/protect.ts';
import type {
  Candidate,
  ContainerStep,
  PodStep,
  PodView,
  Prediction,
  Target,
} from '../../../src/vocabulary.ts';
import { candidate, plannedTarget, skippedTarget, step, steps } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

/** A stuck pod whose mains ended with these codes. */
function stuck(exitCodes: readonly number[], more: Partial<PodView> = {}): Candidate {
  const mains = exitCodes.map((code, index) => container(`main-${index}`, exited(code)));
  return candidate(podView({ containers: [...mains, container('sidecar', running)], ...more }));
}

describe('a pod is protected', () => {
  it.each<readonly [title: string, candidate: Candidate, expected: boolean]>([
    ['when its only main exited 0 and a Job owns it', stuck([0]), true],
    ['when all of its mains exited 0', stuck([0, 0]), true],
    ['but not when one of them failed: the Job is right to retry', stuck([0, 7]), false],
    ['but not when its main failed', stuck([137]), false],
    ['but not when nobody owns it', stuck([0], { owner: undefined }), false],
    [
      'but not when a workflow of Argo’s owns it, which takes 137 and 143 for what they are',
      stuck([0], { owner: { kind: 'Workflow', name: 'w', uid: 'w' } }),
      false,
    ],
    ['under OnFailure as well, where a restart counts against the Job’s back-off', onFailure([0]), true],
  ])('%s', (_title, pod, expected) => {
    expect(isProtected(pod)).toBe(expected);
  });
});

function onFailure(exitCodes: readonly number[]): Candidate {
  return stuck(exitCodes, { restartPolicy: 'OnFailure' });
}

describe('what is expected of a pod', () => {
  const targetOf = (...planned: readonly ContainerStep[]) => plannedTarget({ steps: planned });
  const clean = targetOf(step(15, { exitCode: 0 }), step(9, { exitCode: 137 }));
  const killed = targetOf(step(9, { exitCode: 137 }));
  const unknown = targetOf(step());
  const none = targetOf();
  const ended = (exitCode: number): Target => ({
    kind: 'Skipped',
    container: 'sidecar',
    outcome: { kind: 'AlreadyEnded', exitCode },
  });
  const swap: PodStep = { ...steps.ImageSwap, exitCode: 0 };
  const noJob = { owner: undefined };
  const workflow = { owner: { kind: 'Workflow', name: 'w', uid: 'w' } };

  it.each<readonly [title: string, Candidate, readonly Target[], Prediction]>([
    [
      'whose sidecar ends with 0: its Job completes',
      stuck([0]),
      [clean],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'whose sidecars all end with 0',
      stuck([0]),
      [clean, none],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'of no Job whose sidecar ends with 0',
      stuck([0], noJob),
      [clean],
      { exitCode: 0, phase: 'Succeeded', job: 'NoJob' },
    ],
    [
      'whose sidecar is known to end unclean: its Job runs again',
      stuck([0]),
      [killed],
      { exitCode: 137, phase: 'Failed', job: 'RunsAgain' },
    ],
    [
      'of which one sidecar ends unclean',
      stuck([0]),
      [clean, killed],
      { exitCode: 137, phase: 'Failed', job: 'RunsAgain' },
    ],
    [
      'of a workflow whose sidecar ends unclean',
      stuck([0], workflow),
      [killed],
      { exitCode: 137, phase: 'Failed', job: 'NoJob' },
    ],
    ['whose sidecar ends nobody knows how', stuck([0]), [unknown], { phase: 'Unknown', job: 'Unknown' }],
    [
      'of which one ends nobody knows how',
      stuck([0]),
      [clean, unknown],
      { phase: 'Unknown', job: 'Unknown' },
    ],
    [
      'of no Job whose sidecar ends nobody knows how',
      stuck([0], noJob),
      [unknown],
      { phase: 'Unknown', job: 'NoJob' },
    ],
    ['whose sidecar is skipped', stuck([0]), [skippedTarget()], { phase: 'Running', job: 'StaysActive' }],
    [
      'of which one sidecar had ended clean',
      stuck([0]),
      [clean, ended(0)],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'of which one sidecar had ended unclean',
      stuck([0]),
      [ended(3), clean],
      { exitCode: 3, phase: 'Failed', job: 'RunsAgain' },
    ],
    [
      'whose main failed: the Job retries, as it should',
      stuck([7]),
      [clean],
      { exitCode: 0, phase: 'Failed', job: 'RunsAgain' },
    ],
    ['of no Job whose main failed', stuck([7], noJob), [unknown], { phase: 'Failed', job: 'NoJob' }],
    [
      'under OnFailure whose sidecar ends with 0',
      onFailure([0]),
      [clean],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'under OnFailure whose sidecar ends unclean: it is started again',
      onFailure([0]),
      [killed],
      { exitCode: 137, phase: 'Running', job: 'StaysActive' },
    ],
  ])('%s', (_title, pod, targets, expected) => {
    expect(predict(pod, targets, [swap], 'allow')).toStrictEqual(expected);
  });

  it('goes by the first step that is not held', () => {
    const succeeds = { exitCode: 0, phase: 'Succeeded', job: 'Completes' };
    const staysUp = { phase: 'Running', job: 'StaysActive' };
    expect(predict(stuck([0]), [killed], [swap], 'canary')).toStrictEqual(succeeds);
    expect(predict(stuck([0]), [killed], [], 'canary')).toStrictEqual(staysUp);
    expect(predict(stuck([0]), [unknown], [], 'canary')).toStrictEqual({ phase: 'Unknown', job: 'Unknown' });
    expect(predict(stuck([0]), [unknown], [], 'forbid')).toStrictEqual(staysUp);
    expect(predict(stuck([0], noJob), [killed], [], 'forbid')).toMatchObject({ phase: 'Failed' });
  });
});
