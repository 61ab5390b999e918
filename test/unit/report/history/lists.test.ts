import { describe, expect, it } from 'vitest';
import { iso } from '../../../../src/report/format.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { endedPod, gib, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

it('the worst is what wasted most, a core as much as four GiB', () => {
  const pods = [
    stuckPod({ name: 'a', namespace: 'cpu', requests: { cpu: 1, memory: 0 } }),
    stuckPod({ name: 'b', namespace: 'memory', requests: { cpu: 0, memory: 6 * gib } }),
    stuckPod({ name: 'c', namespace: 'none', requests: { cpu: 0, memory: 0 } }),
  ];
  const { namespaces } = historyOf([sweepAt({ at: now, pods })]);
  expect(namespaces.map(({ namespace }) => namespace)).toEqual(['memory', 'cpu', 'none']);
});

it('a pod with two sidecars counts for the images of both, but not for one that had ended before', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((sidecar) =>
    stuckPod({
      name: 'a',
      sidecar,
      image: `acme/${sidecar}:1`,
      ...(sidecar === 'three' && { sidecarOutcome: { kind: 'AlreadyEnded', exitCode: 0 } }),
    }),
  );
  if (!one || !two || !three) throw new Error('no pods');
  const containers = [one, two, three].flatMap((pod) => pod.containers);
  const { images, totals } = historyOf([sweepAt({ at: now, pods: [{ ...one, containers }] })]);
  expect(images.map(({ image, pods }) => `${image} ${pods}`)).toEqual(['acme/one:1 1', 'acme/two:1 1']);
  expect(totals.pods).toBe(1);
});

it('an owner counts how many of its Jobs got stuck, not their pods or sweeps', () => {
  const hourly = [0, 1, 2].map((index) => {
    const at = now + index * hour;
    const owner = { kind: 'Job', name: `hourly-${at / minute}` };
    return endedPod({ name: `${owner.name}-x`, owner, mainsEndedAt: at, endedAt: at });
  });
  const parallel = ['a', 'b'].map((name) => stuckPod({ name, owner: { kind: 'Job', name: 'parallel' } }));
  const reports = hourly.map((pod, index) => sweepAt({ at: now + index * hour, pods: [pod, ...parallel] }));
  expect(historyOf(reports).owners).toMatchObject([
    { kind: 'Job', name: 'parallel', times: 1, pods: 2, stuck: 2 },
    {
      cluster: 'prod',
      namespace: 'demo',
      kind: 'CronJob',
      name: 'hourly',
      images: ['acme/proxy:1'],
      times: 3,
      pods: 3,
      ended: 3,
      lastAt: iso(now + 2 * hour),
    },
  ]);
});

describe('why pods are still stuck', () => {
  it('are the words for the one that has been stuck for longest, with what to do', () => {
    const pods = [
      stuckPod({ name: 'new', advice: 'ask again' }),
      stuckPod({ name: 'old', mainsEndedAt: now - 2 * hour, advice: 'set a kill command' }),
      stuckPod({
        name: 'immune',
        requests: { cpu: 0, memory: 0 },
        outcome: { kind: 'Stuck' },
        sidecarOutcome: { kind: 'StillRunning', because: { kind: 'Immune', message: 'ignores all' } },
      }),
    ];
    expect(historyOf([sweepAt({ at: now, pods })]).reasons).toMatchObject([
      {
        outcome: 'Blocked',
        reason: 'KnownUnclean',
        advice: 'set a kill command',
        pods: 2,
        since: iso(now - 2 * hour),
        example: { cluster: 'prod', namespace: 'demo', name: 'old' },
        wasted: { cpuHours: 3 },
      },
      { outcome: 'StillRunning', reason: 'Immune', words: 'immune: ignores all', pods: 1 },
    ]);
  });

  it('are those of the last sweep, also if a sidecar waits to start', () => {
    const waiting = {
      namespace: 'demo',
      name: 'swapped',
      mainsEndedAt: iso(now - hour),
      waiting: [{ name: 'proxy', image: 'acme/noop:1', reason: 'ImagePullBackOff' }],
      remarks: [],
    };
    const before = stuckPod({ name: 'swapped', uid: 'u-1' });
    const requests = { cpu: 2, memory: gib };
    const { reasons, stuck, images, totals } = historyOf([
      sweepAt({ at: now, pods: [before] }),
      sweepAt({ at: now + hour, notStartedAgain: [{ ...waiting, uid: 'u-1', requests }] }),
      sweepAt({ at: now + hour, context: 'old', neverStarted: [waiting] }),
    ]);
    expect(totals).toMatchObject({ pods: 2, stuck: 2 });
    expect(reasons).toMatchObject([
      { outcome: 'NotStartedAgain', reason: 'ImagePullBackOff', wasted: { cpuHours: 4 } },
      { outcome: 'NeverStarted', reason: 'ImagePullBackOff', wasted: { cpuHours: 0 } },
    ]);
    expect(stuck[0]).toMatchObject({ uid: 'u-1', sweeps: 2, lastSeenAt: iso(now + hour) });
    // The image that it had before the swap.
    expect(images[0]?.image).toBe('acme/proxy:1');
  });
});

it('lists have up to 100 entries, and say how many more there are', () => {
  const pods = Array.from({ length: 130 }, (_, index) =>
    stuckPod({ name: `pod-${index}`, namespace: `ns-${index % 110}` }),
  );
  const { stuck, namespaces, owners, images, leftOut, totals } = historyOf([sweepAt({ at: now, pods })]);
  expect([stuck, namespaces, owners, images].map(({ length }) => length)).toEqual([100, 100, 100, 1]);
  expect(leftOut).toEqual({ stuck: 30, namespaces: 10, owners: 30 });
  expect(totals.pods).toBe(130);
});
