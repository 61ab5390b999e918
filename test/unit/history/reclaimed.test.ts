import { expect, it } from 'vitest';
import { historyOf } from '../../../src/history/history.ts';
import { hour, now } from '../../builders/pod-view.ts';
import { attemptBy, endedPod, stuckPod, sweepAt } from '../../builders/sweeps.ts';

/** The n-th hourly Job of a CronJob, which a sweep ends as soon as it gets stuck. */
function hourly(index: number) {
  const at = now + index * hour;
  const job = `hourly-${at / 60_000}`;
  const owner = { kind: 'Job', name: job };
  return sweepAt({ at, pods: [endedPod({ name: `${job}-x`, owner, mainsEndedAt: at, endedAt: at })] });
}

function reclaimed(...reports: Parameters<typeof historyOf>[0]): number {
  return historyOf(reports).totals.reclaimed.cpuHours;
}

it('a CronJob counts with one Job at a time, however many would have piled up', () => {
  const reports = Array.from({ length: 24 }, (_, index) => hourly(index));
  expect(reclaimed(...reports, sweepAt({ at: now + 24 * hour - 60_000 }))).toBeCloseTo(24, 5);
});

it('the pods of one Job count together, as they run together', () => {
  const owner = { kind: 'Job', name: 'parallel' };
  const pods = ['a', 'b', 'c'].map((name) => endedPod({ name, owner, endedAt: now }));
  expect(reclaimed(sweepAt({ at: now, pods }), sweepAt({ at: now + hour - 60_000 }))).toBeCloseTo(3, 5);
});

it('nothing is reclaimed of pods that went away otherwise, or are still stuck', () => {
  const gone = stuckPod({ name: 'gone', outcome: { kind: 'Gone', job: { kind: 'NoJob' } } });
  const ended = stuckPod({
    name: 'ended',
    outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'NoJob' } },
    sidecarOutcome: { kind: 'AlreadyEnded', exitCode: 0 },
  });
  const pods = [gone, ended, stuckPod({ name: 'held' })];
  expect(reclaimed(sweepAt({ at: now, pods }), sweepAt({ at: now + hour }))).toBe(0);
});

it('a pod that a last resort has removed counts as ended by the sweep', () => {
  const outcome = { kind: 'Gone', job: { kind: 'NoJob' } } as const;
  const attempts = [attemptBy('Evict')];
  const pod = stuckPod({ name: 'evicted', outcome, sidecarOutcome: { kind: 'Gone' }, attempts });
  expect(reclaimed(sweepAt({ at: now, pods: [pod] }), sweepAt({ at: now + hour }))).toBeCloseTo(1, 5);
});
