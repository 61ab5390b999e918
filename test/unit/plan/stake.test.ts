import { describe, expect, it } from 'vitest';
import type { UncleanCost } from '../../../src/model/step.ts';
import { retriesLeftOf, stakeOf } from '../../../src/plan/stake.ts';
import { jobFacts } from '../../builders/job.ts';
import { podView } from '../../builders/pod-view.ts';

describe('the stake of a pod', () => {
  const stake = (kind: 'Nothing' | 'Restart' | 'AnotherRun' | 'Index', retriesLeft?: number) =>
    stakeOf({ uncleanCost: { kind } satisfies UncleanCost, retriesLeft });

  it('is the higher, the fewer retries are left', () => {
    const falling = [1_000_000, 99, 6, 1, 0].map((left) => stake('AnotherRun', left));
    expect(falling).toEqual([...new Set(falling)].sort((one, other) => one - other));
  });

  it('is the same for all retries that are as good as endless, and for all that are used up', () => {
    expect(stake('AnotherRun', 2_147_483_647)).toBe(stake('AnotherRun', 100));
    expect(stake('AnotherRun', -3)).toBe(stake('AnotherRun', 0));
  });

  it('depends on the cost first of all, whatever is left', () => {
    expect(stake('Restart', 0)).toBeLessThan(stake('AnotherRun'));
    expect(stake('AnotherRun', 0)).toBeLessThan(stake('Index', 100));
  });
});

describe('the retries that are left', () => {
  const onFailure = podView({ restartPolicy: 'OnFailure' });
  const index = (failures: string) =>
    podView({ annotations: { 'batch.kubernetes.io/job-index-failure-count': failures } });
  const perIndex = { retries: 3, maxFailed: undefined, failed: 0 };

  it.each([
    ['are what pods have not used under Never', podView(), jobFacts({ failedPods: 2 }, 5), 4],
    ['are what restarts have not used under OnFailure', onFailure, jobFacts({ failedPods: 2 }, 5), 1],
    ['are those of the index', index('2'), jobFacts({ perIndex }), 1],
    ['are all of the index that has not failed yet', podView(), jobFacts({ perIndex }), 3],
    ['are unknown if the Job is', podView(), undefined, undefined],
    ['are unknown if the Job is gone', podView(), { kind: 'Gone' } as const, undefined],
  ])('%s', (_title, pod, job, left) => {
    expect(retriesLeftOf(pod, job)).toBe(left);
  });
});
