import { expect, it } from 'vitest';
import { iso } from '../../../../src/report/format.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { attemptBy, endedPod, gib, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

it('a pod that was stuck over 50 sweeps is one pod, wasted until it was last seen', () => {
  const pod = stuckPod({ name: 'a', mainsEndedAt: now - hour });
  const reports = Array.from({ length: 50 }, (_, index) =>
    sweepAt({ at: now + index * 5 * minute, pods: [pod] }),
  );
  const { totals, stuck, read } = historyOf(reports);
  expect(read).toMatchObject({ sweeps: 50, reports: 50, copies: 0, dryRuns: 0 });
  expect(totals).toMatchObject({ pods: 1, ended: 0, gone: 0, stuck: 1 });
  const hours = 1 + (49 * 5) / 60;
  expect(totals.wasted.cpuHours).toBeCloseTo(hours, 5);
  expect(totals.wasted.gibHours).toBeCloseTo(4 * hours, 5);
  expect(totals.reserved).toEqual({ cpu: 1, memory: 4 * gib });
  expect(stuck).toMatchObject([
    { cluster: 'prod', namespace: 'demo', name: 'a', sweeps: 50, lastSeenAt: iso(now + 49 * 5 * minute) },
  ]);
});

it('a pod that a sweep ended is wasted until its sidecar ended, and reclaimed from then to the last sweep', () => {
  const pod = endedPod({ name: 'a', mainsEndedAt: now - hour, endedAt: now + 30_000 });
  const { totals } = historyOf([sweepAt({ at: now, pods: [pod] }), sweepAt({ at: now + 24 * hour })]);
  expect(totals).toMatchObject({ pods: 1, ended: 1, stuck: 0 });
  expect(totals.wasted.cpuHours).toBeCloseTo(1 + 30 / 3600, 5);
  expect(totals.reclaimed.cpuHours).toBeCloseTo(24 + 30 / 3600, 4);
  expect(totals.wastedByStuck).toEqual({ cpuHours: 0, gibHours: 0 });
});

it('pods without requests are counted, because what they wasted is unknown', () => {
  const requests = { cpu: 0, memory: 0 };
  const pods = [
    stuckPod({ name: 'a' }),
    stuckPod({ name: 'b', requests }),
    stuckPod({ name: 'c', requests }),
  ];
  const { totals } = historyOf([sweepAt({ at: now, pods }), sweepAt({ at: now + hour, pods })]);
  expect(totals).toMatchObject({ pods: 3, withoutRequests: 2 });
});

const outcome = { kind: 'Gone', job: { kind: 'NoJob' } } as const;
const ofJob = { kind: 'Job', name: 'parallel' };
const later = sweepAt({ at: now + hour - minute });

it.each<readonly [coreHours: number, what: string, reports: Parameters<typeof historyOf>[0]]>([
  [
    24,
    'the 24 Jobs of an hourly CronJob, one at a time',
    [
      ...Array.from({ length: 24 }, (_, index) => {
        const at = now + index * hour;
        const owner = { kind: 'Job', name: `hourly-${at / minute}` };
        return sweepAt({
          at,
          pods: [endedPod({ name: `${owner.name}-x`, owner, mainsEndedAt: at, endedAt: at })],
        });
      }),
      sweepAt({ at: now + 24 * hour - minute }),
    ],
  ],
  [
    3,
    'three pods that one Job ran together',
    [
      sweepAt({
        at: now,
        pods: ['a', 'b', 'c'].map((name) => endedPod({ name, owner: ofJob, endedAt: now })),
      }),
      later,
    ],
  ],
  [
    1,
    'a pod that a last resort evicted',
    [
      sweepAt({
        at: now,
        pods: [
          stuckPod({
            name: 'evicted',
            outcome,
            sidecarOutcome: { kind: 'Gone' },
            attempts: [attemptBy('Evict')],
          }),
        ],
      }),
      sweepAt({ at: now + hour }),
    ],
  ],
  [
    0,
    'pods that ended otherwise or are still stuck',
    [
      sweepAt({
        at: now,
        pods: [
          stuckPod({ name: 'gone', outcome }),
          stuckPod({
            name: 'ended',
            outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'NoJob' } },
            sidecarOutcome: { kind: 'AlreadyEnded', exitCode: 0 },
          }),
          stuckPod({ name: 'blocked' }),
        ],
      }),
      later,
    ],
  ],
])('%d core-hours are reclaimed from %s', (coreHours, _what, reports) => {
  expect(historyOf(reports).totals.reclaimed.cpuHours).toBeCloseTo(coreHours, 5);
});
