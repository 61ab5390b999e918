import { describe, expect, it } from 'vitest';
import { iso } from '../../../../src/report/format.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import type { PodReport } from '../../../../src/report/schema.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { attemptBy, endedPod, gib, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const none = { cpu: 0, memory: 0 };
const of = (...pods: readonly PodReport[]) => historyOf([sweepAt({ at: now, pods })]);

it('the worst is what wasted most, a core as much as four GiB', () => {
  const { namespaces } = of(
    stuckPod({ name: 'a', namespace: 'cpu', requests: { cpu: 1, memory: 0 } }),
    stuckPod({ name: 'b', namespace: 'memory', requests: { cpu: 0, memory: 6 * gib } }),
    stuckPod({ name: 'c', namespace: 'none', requests: none }),
  );
  expect(namespaces.map(({ namespace }) => namespace)).toEqual(['memory', 'cpu', 'none']);
});

it('a pod whose sidecars had all ended by themselves is in the group of the first', () => {
  const sidecarOutcome = { kind: 'AlreadyEnded', exitCode: 0 } as const;
  const { groups } = of(stuckPod({ name: 'a', sidecar: 'proxy', image: 'acme/proxy:1', sidecarOutcome }));
  expect(groups).toMatchObject([{ sidecar: 'proxy', image: 'acme/proxy:1' }]);
});

it('a pod with two sidecars is in the group of the one that keeps it running', () => {
  const outcomes = { ended: 'AlreadyEnded', stopped: 'Stopped', running: undefined } as const;
  const containers = Object.entries(outcomes).flatMap(([sidecar, kind]) => {
    const outcome = kind && { sidecarOutcome: { kind, exitCode: 0 } };
    return stuckPod({ name: 'a', sidecar, image: `acme/${sidecar}:1`, ...outcome }).containers;
  });
  const { groups, owners, totals } = of({ ...stuckPod({ name: 'a' }), containers });
  expect(groups).toMatchObject([{ sidecar: 'running', image: 'acme/running:1', fate: 'Stuck', pods: 1 }]);
  expect(owners[0]?.images).toEqual(['acme/running:1', 'acme/stopped:1']);
  expect(totals.pods).toBe(1);
});

it('pods that ended are a group beside those with the same sidecar that are stuck, which come first', () => {
  const ended = ['b', 'c', 'd', 'e'].map((name) =>
    endedPod({ name, requests: { cpu: 9, memory: 0 }, endedAt: now }),
  );
  const { groups, totals } = of(...ended, stuckPod({ name: 'a' }));
  const proxy = { sidecar: 'proxy', image: 'acme/proxy:1' };
  expect(groups).toMatchObject([
    { ...proxy, fate: 'Stuck', outcome: 'Blocked', pods: 1, examples: [{ name: 'a' }] },
    { ...proxy, fate: 'Ended', words: 'ended by a sweep', pods: 4 },
  ]);
  expect(groups[1]?.examples.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
  expect(totals.freed).toEqual({ cpu: 36, memory: 0 });
});

it('harm has its pod, its owner, the last step and when that was', () => {
  const owner = { kind: 'Job', name: 'bill' };
  const at = iso(now + minute);
  const attempts = [attemptBy('Http'), { ...attemptBy('Signal'), sentAt: at }];
  const harm = { kind: 'RunsAgain', permitted: false, expected: true } as const;
  const harmed = endedPod({ name: 'bill-x', owner, endedAt: now, harm, attempts });
  expect(of(harmed, stuckPod({ name: 'a' })).harm).toEqual([
    {
      cluster: 'prod',
      namespace: 'demo',
      name: 'bill-x',
      owner,
      kind: 'RunsAgain',
      expected: true,
      does: 'Signal',
      at,
    },
  ]);
});

it('harm that a later sweep told is that of the sweep that was stopped, which ended the pod', () => {
  const owner = { kind: 'Job', name: 'bill' };
  const at = iso(now + minute);
  const [sent, blocked] = [
    attemptBy('Http'),
    attemptBy('Signal', { kind: 'Blocked', reason: 'KnownUnclean' }),
  ];
  const left = stuckPod({ name: 'bill-x', owner, attempts: [{ ...sent, sentAt: at }, blocked] });
  const told = { kind: 'JobHarmed', namespace: 'demo', name: 'bill-x', job: 'bill', earlier: true } as const;
  const warning = { ...told, harm: 'JobFailed', expected: true } as const;
  const later = [1, 2].map((hours) => sweepAt({ at: now + hours * hour, warnings: [warning] }));
  const { harm, totals } = historyOf([sweepAt({ at: now, pods: [left, stuckPod({ name: 'a' })] }), ...later]);
  const pod = { cluster: 'prod', namespace: 'demo', name: 'bill-x', owner };
  expect(harm).toEqual([{ ...pod, kind: 'JobFailed', expected: true, does: 'Http', at }]);
  expect(totals).toMatchObject({ pods: 2, harm: { JobFailed: 1 } });
});

it('an owner counts how many of its Jobs got stuck, not their pods or sweeps', () => {
  const parallel = ['a', 'b'].map((name) => stuckPod({ name, owner: { kind: 'Job', name: 'parallel' } }));
  const reports = [0, 1, 2].map((index) => {
    const at = now + index * hour;
    const owner = { kind: 'Job', name: `hourly-${at / minute}` };
    const hourly = endedPod({ name: `${owner.name}-x`, owner, mainsEndedAt: at, endedAt: at });
    return sweepAt({ at, pods: [hourly, ...parallel] });
  });
  const hourly = { kind: 'CronJob', name: 'hourly', images: ['acme/proxy:1'], lastAt: iso(now + 2 * hour) };
  expect(historyOf(reports).owners).toMatchObject([
    { kind: 'Job', name: 'parallel', times: 1, pods: 2, stuck: 2 },
    { cluster: 'prod', namespace: 'demo', ...hourly, times: 3, pods: 3, ended: 3 },
  ]);
});

describe('why pods are still stuck', () => {
  it('are the words for the one that has been stuck for longest, with what to do', () => {
    const immune = { kind: 'StillRunning', because: { kind: 'Immune', message: 'ignores all' } } as const;
    const { groups } = of(
      stuckPod({ name: 'new', advice: 'ask again' }),
      stuckPod({ name: 'old', mainsEndedAt: now - 2 * hour, advice: 'set a kill command' }),
      stuckPod({ name: 'immune', requests: none, outcome: { kind: 'Stuck' }, sidecarOutcome: immune }),
    );
    expect(groups).toMatchObject([
      {
        ...{ outcome: 'Blocked', reason: 'KnownUnclean', advice: 'set a kill command', pods: 2 },
        since: iso(now - 2 * hour),
        examples: ['old', 'new'].map((name) => ({ cluster: 'prod', namespace: 'demo', name })),
        wasted: { cpuHours: 3 },
      },
      { outcome: 'StillRunning', reason: 'Immune', words: 'immune: ignores all', pods: 1 },
    ]);
  });

  it('are those of the last sweep, also if a sidecar waits to start', () => {
    const waiting = {
      ...{ namespace: 'demo', name: 'swapped', uid: 'u-1', requests: none },
      mainsEndedAt: iso(now - hour),
      waiting: [{ name: 'proxy', image: 'acme/noop:1', reason: 'ImagePullBackOff' }],
    };
    const requests = { cpu: 2, memory: gib };
    const { groups, stuck, totals } = historyOf([
      sweepAt({ at: now, pods: [stuckPod({ name: 'swapped', uid: 'u-1' })] }),
      sweepAt({ at: now + hour, notStartedAgain: [{ ...waiting, requests }] }),
      sweepAt({ at: now + hour, context: 'old', neverStarted: [waiting] }),
    ]);
    const reason = 'ImagePullBackOff';
    expect(totals).toMatchObject({ pods: 2, stuck: 2 });
    expect(groups).toMatchObject([
      // The image that it had before the swap.
      { image: 'acme/proxy:1', outcome: 'NotStartedAgain', reason, wasted: { cpuHours: 4 } },
      { outcome: 'NeverStarted', reason, wasted: { cpuHours: 0 } },
    ]);
    expect(stuck[0]).toMatchObject({ sweeps: 2, lastSeenAt: iso(now + hour) });
  });
});

it('lists have up to 100 entries, and say how many more there are', () => {
  const pods = Array.from({ length: 130 }, (_, index) =>
    stuckPod({ name: `pod-${index}`, namespace: `ns-${index % 110}` }),
  );
  const { stuck, namespaces, owners, groups, leftOut, totals } = of(...pods);
  expect([stuck, namespaces, owners, groups].map(({ length }) => length)).toEqual([100, 100, 100, 1]);
  expect(leftOut).toEqual({ stuck: 30, namespaces: 10, owners: 30 });
  expect(totals.pods).toBe(130);
});
