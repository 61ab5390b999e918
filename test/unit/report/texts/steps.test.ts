import { describe, expect, it } from 'vitest';
import type { Prediction, UncleanCost } from '../../../../src/model/step.ts';
import type { PlannedStepReport } from '../../../../src/report/schema.ts';
import { describeCost, describePlannedStep, describePrediction } from '../../../../src/report/texts/steps.ts';

const step: PlannedStepReport = {
  method: 'Signal',
  does: 'signal TERM',
  source: { kind: 'Profile', profile: 'istio' },
  graceMs: 90_000,
  expectedExitCode: 143,
};
const { expectedExitCode: _, ...unknownCode } = step;

describe('a planned step', () => {
  it('comes with its source, its exit code and the time it gets', () => {
    expect(describePlannedStep(step)).toBe(
      'signal TERM (profile istio; ends with 143), then wait up to 1m30s for it to end',
    );
    expect(describePlannedStep(unknownCode)).toContain('(profile istio; exit code unknown)');
  });

  it.each<readonly [source: PlannedStepReport['source'], words: string]>([
    [
      { kind: 'Annotation', key: 'sidecar-sweeper.dev/steps-a' },
      '(its annotation sidecar-sweeper.dev/steps-a;',
    ],
    [{ kind: 'Default' }, '(tried on any sidecar;'],
    [{ kind: 'Swap' }, '(image swap allowed;'],
    [{ kind: 'LastResort' }, '(last resort;'],
  ])('of %j', (source, words) => {
    expect(describePlannedStep({ ...step, source })).toContain(words);
  });

  it.each<readonly [blocked: NonNullable<PlannedStepReport['blocked']>, words: string]>([
    [
      'KnownUnclean',
      '; blocked: it exits with a non-zero code, which would make finished work run again or fail)',
    ],
    [
      'UnknownEnd',
      '; blocked: its exit code is not known, and a non-zero code would make finished work run again or fail)',
    ],
  ])('that is blocked: %s', (blocked, words) => {
    expect(describePlannedStep({ ...step, blocked })).toContain(words);
  });

  it('a step that raises a limit first says so', () => {
    const words = '; the backoffLimit of its Job is raised first if there is no room for the restart)';
    expect(describePlannedStep({ ...step, raisesBackoffLimit: true })).toContain(words);
    expect(describePlannedStep(step)).not.toContain('backoffLimit');
  });

  it('says its price, if that is the logs of the sidecar', () => {
    const words = "; the sidecar's own logs are then gone)";
    expect(describePlannedStep({ ...step, method: 'ImageSwap' })).toContain(words);
    expect(describePlannedStep(step)).not.toContain(words);
  });
});

describe('a prediction', () => {
  it.each<readonly [prediction: Prediction, words: string]>([
    [{ exitCode: 0, phase: 'Succeeded', job: 'Completes' }, 'exit code 0, pod Succeeded, Job Complete'],
    [{ exitCode: 0, phase: 'Succeeded', job: 'NoJob' }, 'exit code 0, pod Succeeded'],
    [{ phase: 'Unknown', job: 'Unknown' }, 'exit code unknown, phase unknown, Job unknown'],
    [{ phase: 'Running', job: 'StaysActive' }, 'exit code unknown, pod Running, Job active'],
    [{ exitCode: 137, phase: 'Failed', job: 'RunsAgain' }, 'exit code 137, pod Failed, Job runs again'],
    [{ exitCode: 137, phase: 'Failed', job: 'IndexFails' }, 'exit code 137, pod Failed, index fails'],
    [{ exitCode: 137, phase: 'Failed', job: 'Fails' }, 'exit code 137, pod Failed, Job Failed'],
  ])('%j: %s', (prediction, words) => {
    expect(describePrediction(prediction)).toBe(words);
  });
});

describe('what follows for the owner if a sidecar ends unclean', () => {
  it.each<readonly [cost: UncleanCost, words: string]>([
    [{ kind: 'Nothing' }, ''],
    [{ kind: 'Restart' }, ', and its Job counts the restart'],
    [{ kind: 'AnotherRun' }, ', and its Job runs the finished work again'],
    [{ kind: 'Index' }, ', and its index fails for good'],
    [
      { kind: 'Job', because: 'NoRetriesLeft' },
      ', and its Job fails for good, because it has no retries left',
    ],
    [
      { kind: 'Job', because: 'FailurePolicy' },
      ', and its Job fails for good, because its podFailurePolicy says so',
    ],
    [{ kind: 'Job', because: 'JobUnreadable' }, ', and its Job, which cannot be read, may fail for good'],
    [{ kind: 'Job', because: 'ArgoWorkflow' }, ', and its workflow step fails unless the code is 137 or 143'],
    [{ kind: 'Job', because: 'OtherOwner' }, ', and its owner may fail for good'],
    [
      { kind: 'Job', because: 'Platform' },
      ', and the platform that created it may count the work as failed, or run it again',
    ],
  ])('%j: %s', (cost, words) => {
    expect(describeCost(cost)).toBe(words);
  });
});
