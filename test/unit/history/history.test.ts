import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../src/history/history.ts';
import { history } from '../../../src/report/history/schema.ts';
import { iso } from '../../../src/report/times.ts';
import { hour, minute, now } from '../../builders/pod-view.ts';
import { endedPod, gib, stuckPod, sweepAt } from '../../builders/sweeps.ts';

const day = 24 * hour;

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
  const { totals } = historyOf([sweepAt({ at: now, pods: [pod] }), sweepAt({ at: now + day })]);
  expect(totals).toMatchObject({ pods: 1, ended: 1, stuck: 0 });
  expect(totals.wasted.cpuHours).toBeCloseTo(1 + 30 / 3600, 5);
  expect(totals.reclaimed.cpuHours).toBeCloseTo(24 + 30 / 3600, 4);
  expect(totals.wastedByStuck).toEqual({ cpuHours: 0, gibHours: 0 });
});

it('says how many pods have no requests, so that what they wasted is unknown', () => {
  const none = { cpu: 0, memory: 0 };
  const pods = [
    stuckPod({ name: 'a' }),
    stuckPod({ name: 'b', requests: none }),
    stuckPod({ name: 'c', requests: none }),
  ];
  const { totals } = historyOf([sweepAt({ at: now, pods }), sweepAt({ at: now + hour, pods })]);
  expect(totals).toMatchObject({ pods: 3, withoutRequests: 2 });
});

describe('a pod that a later sweep no longer finds', () => {
  const pod = stuckPod({ name: 'a', mainsEndedAt: now - hour });
  const fateAfter = (...later: Parameters<typeof sweepAt>[0][]) => {
    const { totals } = historyOf([sweepAt({ at: now, pods: [pod] }), ...later.map(sweepAt)]);
    expect(totals.pods).toBe(1);
    expect(totals.wasted.cpuHours).toBe(1);
    return totals.stuck === 1 ? 'stuck' : totals.gone === 1 ? 'gone' : 'ended';
  };

  it('is gone, and wastes nothing after it was last seen', () => {
    expect(fateAfter({ at: now + hour })).toBe('gone');
  });

  it('is still stuck if records of that sweep are lost', () => {
    const later = sweepAt({ at: now + hour });
    const cut = { ...later, totals: { ...later.totals, candidates: 1 } };
    expect(historyOf([sweepAt({ at: now, pods: [pod] }), cut]).totals).toMatchObject({ stuck: 1, gone: 0 });
  });

  it.each<readonly [what: string, later: Parameters<typeof sweepAt>[0]]>([
    ['was stopped early', { at: now + hour, stoppedEarly: 'Deadline' }],
    ['could not read all', { at: now + hour, unread: [{ problem: 'TimedOut', message: 'timed out' }] }],
    ['looked at other namespaces', { at: now + hour, namespaces: ['other'] }],
    ['looked at another cluster', { at: now + hour, context: 'staging' }],
    ['looked at another shard', { at: now + hour, shard: { index: 1, of: 2 } }],
    ['was a dry run', { at: now + hour, dryRun: true }],
  ])('is still stuck if that sweep %s', (_what, later) => {
    expect(fateAfter(later)).toBe('stuck');
  });
});

it('the same uid in two clusters is two pods', () => {
  const pod = stuckPod({ name: 'a' });
  const { totals, clusters, namespaces } = historyOf([
    sweepAt({ at: now, pods: [pod] }),
    sweepAt({ at: now, pods: [pod], context: 'staging' }),
  ]);
  expect(totals.pods).toBe(2);
  expect(clusters.map(({ name, sweeps, pods }) => ({ name, sweeps, pods }))).toEqual([
    { name: 'prod', sweeps: 1, pods: 1 },
    { name: 'staging', sweeps: 1, pods: 1 },
  ]);
  expect(namespaces).toHaveLength(2);
});

it('a dry run adds nothing but its number', () => {
  const real = sweepAt({ at: now, pods: [stuckPod({ name: 'a' })] });
  const dry = sweepAt({ at: now + hour, pods: [stuckPod({ name: 'b' })], dryRun: true });
  const { read, ...all } = historyOf([real, dry]);
  const { read: alone, ...rest } = historyOf([real]);
  expect(all).toEqual(rest);
  expect(read).toEqual({ ...alone, dryRuns: 1 });
});

it('says what it was made of', () => {
  const { read, period } = historyOf(
    [
      sweepAt({ at: now }),
      sweepAt({ at: now }),
      sweepAt({ at: now + hour, stoppedEarly: 'Deadline' }),
      sweepAt({ at: now + 2 * hour, unread: [{ problem: 'Forbidden', message: 'no' }] }),
      sweepAt({
        at: now + 3 * hour,
        warnings: [{ kind: 'Braked', pods: 9, listed: 10, limit: 'brakePods', most: 5 }],
      }),
    ],
    { truncated: 3, unreadable: [], other: 40, lost: 2, shortened: 1, unfinished: 1 },
  );
  expect(read).toEqual({
    sweeps: 4,
    reports: 4,
    copies: 1,
    dryRuns: 0,
    stoppedEarly: 1,
    unread: 1,
    braked: 1,
    truncated: 3,
    unreadable: [],
    other: 40,
    lost: 2,
    shortened: 1,
    unfinished: 1,
  });
  expect(period).toEqual({ from: iso(now), to: iso(now + 3 * hour + minute) });
});

it.each([
  ['nothing', []],
  ['dry runs alone', [sweepAt({ at: now, pods: [stuckPod({ name: 'a' })], dryRun: true })]],
])('%s makes an empty history', (_what, reports) => {
  const empty = historyOf(reports);
  expect(empty.totals).toMatchObject({ pods: 0, wasted: { cpuHours: 0, gibHours: 0 } });
  expect(empty.trend.points).toEqual([]);
  expect(empty).not.toHaveProperty('period');
  expect(history.safeParse(empty).error).toBeUndefined();
});

it('is what its schema says', () => {
  const pods = [
    stuckPod({ name: 'a' }),
    endedPod({ name: 'b', endedAt: now }),
    endedPod({ name: 'c', endedAt: now, harm: { kind: 'RunsAgain', permitted: false } }),
  ];
  const all = historyOf([sweepAt({ at: now, pods })]);
  expect(history.safeParse(all).error).toBeUndefined();
  expect(all.totals.harm).toEqual({ RunsAgain: 1 });
});
