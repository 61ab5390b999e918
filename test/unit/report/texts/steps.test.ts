import { describe, expect, it } from 'vitest';
import type { PlannedStepReport } from '../../../../src/report/schema.ts';
import { describePlannedStep, describePrediction } from '../../../../src/report/texts/steps.ts';
import type { Prediction } from '../../../../src/vocabulary.ts';

const step: PlannedStepReport = {
  method: 'Signal',
  does: 'signal TERM',
  source: { kind: 'Profile', profile: 'istio' },
  graceMs: 90_000,
  expectedExitCode: 143,
  clearance: 'Free',
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
    [{ kind: 'LastResort' }, '(last resort;'],
  ])('of %j', (source, words) => {
    expect(describePlannedStep({ ...step, source })).toContain(words);
  });

  it.each<readonly [clearance: PlannedStepReport['clearance'], words: string]>([
    ['Canary', '; one pod of the image goes first)'],
    ['KnownUnclean', '; held, because its Job would run again)'],
    ['Forbidden', '; held by --unclean-exit=forbid)'],
  ])('that is %s', (clearance, words) => {
    expect(describePlannedStep({ ...step, clearance })).toContain(words);
  });
});

describe('a prediction', () => {
  it.each<readonly [prediction: Prediction, words: string]>([
    [
      { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
      'exit code 0, pod Succeeded, its Job counts a success',
    ],
    [{ exitCode: 0, phase: 'Succeeded', job: 'NoJob' }, 'exit code 0, pod Succeeded'],
    [{ phase: 'Unknown', job: 'Unknown' }, 'exit code unknown, phase unknown, Job result unknown'],
    [{ phase: 'Running', job: 'StaysActive' }, 'exit code unknown, pod Running, its Job stays active'],
    [
      { exitCode: 137, phase: 'Failed', job: 'RunsAgain' },
      'exit code 137, pod Failed, its Job counts a failure and runs it again within its backoffLimit',
    ],
  ])('%j: %s', (prediction, words) => {
    expect(describePrediction(prediction)).toBe(words);
  });
});
