import { describe, expect, it } from 'vitest';
import { endedBySweep } from '../../../src/history/ended-by-sweep.ts';
import { historyOf } from '../../../src/history/history.ts';
import type { JobReaction } from '../../../src/model/job.ts';
import type { AttemptResult } from '../../../src/model/outcome.ts';
import type { PodReport } from '../../../src/report/schema.ts';
import { attemptResults } from '../../builders/plan.ts';
import { hour, now } from '../../builders/pod-view.ts';
import { attemptBy, stuckPod, sweepAt } from '../../builders/sweeps.ts';

const { Accepted, Held, Refused } = attemptResults;
const replaced: Partial<PodReport> = { outcome: { kind: 'Replaced', uid: 'other' } };

function gonePod(
  attempts: readonly (readonly [method: string, result: AttemptResult])[],
  job: JobReaction = { kind: 'NoJob' },
  more: Partial<PodReport> = {},
): PodReport {
  const pod = stuckPod({
    name: 'a',
    outcome: { kind: 'Gone', job },
    sidecarOutcome: { kind: 'Gone' },
    attempts: attempts.map(([method, result]) => attemptBy(method, result)),
  });
  return { ...pod, ...more };
}

describe('a pod that is gone', () => {
  it.each<readonly [what: string, pod: PodReport]>([
    ['if nothing was sent to it', gonePod([])],
    ['if every step was held back', gonePod([['Signal', Held]])],
    ['if a step was sent, but no end was seen', gonePod([['Signal', Accepted]])],
    ['if another pod has its name', gonePod([['Signal', Accepted]], undefined, replaced)],
    ['if it may not be deleted by the sweep', gonePod([['Delete', Refused]])],
    ['if its Job has completed without any step', gonePod([['Signal', Held]], { kind: 'Complete' })],
    ['if its Job is gone as well', gonePod([['Signal', Accepted]], { kind: 'Gone' })],
  ])('was not ended by the sweep %s', (_what, pod) => {
    expect(endedBySweep(pod)).toBe(false);
  });

  it.each<readonly [what: string, pod: PodReport]>([
    ['deleted it', gonePod([['Delete', Accepted]])],
    [
      'evicted it after a step that was held back',
      gonePod([
        ['Signal', Held],
        ['Evict', Accepted],
      ]),
    ],
    ['deleted it and another has its name', gonePod([['Delete', Accepted]], undefined, replaced)],
    ['sent a step and its Job completed', gonePod([['Signal', Accepted]], { kind: 'Complete' })],
    [
      'made its Job fail',
      gonePod(
        [['Signal', Accepted]],
        { kind: 'Failed', reason: 'BackoffLimitExceeded' },
        { harm: { kind: 'JobFailed', permitted: true } },
      ),
    ],
  ])('was ended by the sweep that %s', (_what, pod) => {
    expect(endedBySweep(pod)).toBe(true);
  });
});

describe('a pod that has ended', () => {
  const ended = (result: AttemptResult) =>
    stuckPod({
      name: 'a',
      outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'NoJob' } },
      sidecarOutcome: { kind: 'Stopped', exitCode: 0 },
      attempts: [attemptBy('Signal', result)],
    });

  it('was ended by the sweep whose step may have worked', () => {
    expect(endedBySweep(ended(Accepted))).toBe(true);
  });

  it('ended by itself if the step was held back', () => {
    expect(endedBySweep(ended(Held))).toBe(false);
  });
});

it('the history credits no sweep with pods that somebody else deleted', () => {
  const { totals } = historyOf([
    sweepAt({ at: now, pods: [gonePod([['Signal', Held]])] }),
    sweepAt({ at: now + hour }),
  ]);
  expect(totals).toMatchObject({ pods: 1, ended: 0, gone: 1, stuck: 0, reclaimed: { cpuHours: 0 } });
});
