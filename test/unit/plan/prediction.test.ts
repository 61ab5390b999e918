import { describe, expect, it } from 'vitest';
import { predict } from '../../../src/plan/prediction.ts';
import type { PlannedStep, Target } from '../../../src/plan/sweep-plan.ts';
import type { Candidate, PodView, Prediction } from '../../../src/vocabulary.ts';
import { candidate, plannedTarget, skippedTarget, step, steps } from '../../builders/plan.ts';
import { container, exited, podView, running } from '../../builders/pod-view.ts';

/** A stuck pod whose mains ended with these codes. */
function stuck(exitCodes: readonly number[], more: Partial<PodView> = {}): Candidate {
  const mains = exitCodes.map((code, index) => container(`main-${index}`, exited(code)));
  return candidate(podView({ containers: [...mains, container('sidecar', running)], ...more }));
}

const noJob = { owner: undefined };
const workflow = { owner: { kind: 'Workflow', name: 'w', uid: 'w' } };
const onFailure = { restartPolicy: 'OnFailure' } as const;

const targetOf = (...planned: readonly PlannedStep[]) => plannedTarget({ steps: planned });
const clean = targetOf(step(15, { exitCode: 0 }), step(9, { exitCode: 137 }));
const killed = targetOf(step(9, { exitCode: 137 }));
const unknown = targetOf(step());
const none = targetOf();
const ended = (exitCode: number): Target => ({
  ...skippedTarget(),
  outcome: { kind: 'AlreadyEnded', exitCode },
});
const swap: PlannedStep = { ...steps.ImageSwap, exitCode: 0, clearance: 'Free' };

describe('the prediction for a pod', () => {
  it.each<readonly [title: string, Candidate, readonly Target[], Prediction]>([
    [
      'whose sidecar ends with 0: its Job completes',
      stuck([0]),
      [clean],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'whose sidecars all end with 0, one of them by the last resort',
      stuck([0]),
      [clean, none],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'without a Job whose sidecar ends with 0',
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
      'with one sidecar that ends unclean',
      stuck([0]),
      [clean, killed],
      { exitCode: 137, phase: 'Failed', job: 'RunsAgain' },
    ],
    [
      'with an unclean sidecar and an unknown one',
      stuck([0]),
      [unknown, killed],
      { exitCode: 137, phase: 'Failed', job: 'RunsAgain' },
    ],
    [
      'of a workflow whose sidecar ends unclean',
      stuck([0], workflow),
      [killed],
      { exitCode: 137, phase: 'Failed', job: 'NoJob' },
    ],
    ['whose sidecar ends with an unknown code', stuck([0]), [unknown], { phase: 'Unknown', job: 'Unknown' }],
    [
      'with one sidecar that ends with an unknown code',
      stuck([0]),
      [clean, unknown],
      { phase: 'Unknown', job: 'Unknown' },
    ],
    [
      'without a Job whose sidecar ends with an unknown code',
      stuck([0], noJob),
      [unknown],
      { phase: 'Unknown', job: 'NoJob' },
    ],
    ['whose sidecar is skipped', stuck([0]), [skippedTarget()], { phase: 'Running', job: 'StaysActive' }],
    [
      'without a Job whose sidecar is skipped',
      stuck([0], noJob),
      [clean, skippedTarget()],
      { phase: 'Running', job: 'NoJob' },
    ],
    [
      'with one sidecar that had ended clean',
      stuck([0]),
      [clean, ended(0)],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'with one sidecar that had ended unclean',
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
    ['with one main that failed', stuck([0, 7]), [clean], { exitCode: 0, phase: 'Failed', job: 'RunsAgain' }],
    ['without a Job whose main failed', stuck([7], noJob), [unknown], { phase: 'Failed', job: 'NoJob' }],
    [
      'under OnFailure whose sidecar ends with 0',
      stuck([0], onFailure),
      [clean],
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    ],
    [
      'under OnFailure whose sidecar ends unclean: it is restarted',
      stuck([0], onFailure),
      [killed],
      { exitCode: 137, phase: 'Running', job: 'StaysActive' },
    ],
    [
      'under OnFailure without a Job whose sidecar ends unclean',
      stuck([0], { ...onFailure, ...noJob }),
      [killed],
      { exitCode: 137, phase: 'Running', job: 'NoJob' },
    ],
  ])('%s', (_title, pod, targets, expected) => {
    expect(predict(pod, targets, [swap])).toStrictEqual(expected);
  });
});

describe('the first step that is not held decides:', () => {
  const succeeds = { exitCode: 0, phase: 'Succeeded', job: 'Completes' };
  const staysUp = { phase: 'Running', job: 'StaysActive' };
  const known = step(9, { exitCode: 137, clearance: 'KnownUnclean' });
  const forbidden = step(15, { clearance: 'Forbidden' });

  it('the last resort, if every step of the sidecar is held', () => {
    expect(predict(stuck([0]), [targetOf(forbidden, known)], [swap])).toStrictEqual(succeeds);
  });

  it('none, if all steps are held', () => {
    expect(predict(stuck([0]), [targetOf(forbidden, known)], [])).toStrictEqual(staysUp);
    const heldSwap: PlannedStep = { ...swap, clearance: 'Forbidden' };
    expect(predict(stuck([0]), [targetOf(known)], [heldSwap])).toStrictEqual(staysUp);
  });

  it('a canary, whose code is not known', () => {
    const canary = step(15, { clearance: 'Canary' });
    expect(predict(stuck([0]), [targetOf(known, canary)], [swap])).toStrictEqual({
      phase: 'Unknown',
      job: 'Unknown',
    });
  });
});
