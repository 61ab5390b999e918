import { describe, expect, it } from 'vitest';
import type { Pod } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { endedAll, grants, leftAlone, oddly } from './corpus/odd-pods.ts';
import { expectSound, FaultyCluster, type Played, type Trouble } from './faulty-cluster.ts';
import { sentAmong } from './read-case.ts';
import { outcomeOf } from './streams.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => FaultyCluster.start());

/** What was sent to the odd pod. */
function sentTo({ requests }: Played): readonly string[] {
  return sentAmong(requests.filter(({ name }) => name === 'pod-1'));
}

describe('D8: a pod with', () => {
  it.each(Object.entries(leftAlone))('%s is left alone, and the other is swept', async (_title, one) => {
    const played = await cluster.play(oddly(one));
    expect(sentTo(played)).toEqual([]);
    expect(outcomeOf(played, 'pod-0')).toBe('Stopped 0');
    expect(['none', 'Skipped']).toContain(outcomeOf(played));
    tally('badInputs', 'D8', 1);
  });

  it.each(Object.entries(endedAll))(
    '%s is swept like the other, and its main not touched',
    async (_title, one) => {
      const played = await cluster.play(oddly(one));
      expect(['pod-0', 'pod-1'].map((name) => outcomeOf(played, name))).toEqual(['Stopped 0', 'Stopped 0']);
      expect(played.exitCode).toBe(0);
      expect(sentTo(played).filter((path) => path.includes('container=main'))).toEqual([]);
      expect(played.took).toBeLessThan(60_000);
      tally('badInputs', 'D8', 1);
    },
  );
});

describe('D8: a sidecar that does not end', () => {
  it.each([2 ** 31, Number.MAX_SAFE_INTEGER])(
    'and has a grace period of %i s keeps no sweep longer than maxGrace, and gets no KILL before its time',
    async (seconds) => {
      const played = await cluster.play(
        oddly({
          pod: { sidecar: sidecars.stubborn },
          odd: grants(seconds),
        }),
      );
      expectSound([played], 'D8');
      expect(outcomeOf(played)).toBe('StillRunning UnderWay');
      expect(sentTo(played).filter((path) => path.includes('KILL%3A9'))).toEqual([]);
      expect(played.took).toBeLessThan(10 * 60_000);
      tally('badInputs', 'D8', 1);
    },
  );
});

describe('C2: reads that show by turns how a pod is, and how it was before the sweep,', () => {
  it.each([1, 2, 3])(
    'never make an ended sidecar one that runs (the old one after every %i others)',
    async (every) => {
      const played = await cluster.play({
        pods: (namespace) => [stuckPod({ namespace, name: 'pod-1' })],
        trouble: (namespace, { world, faults }) => {
          const body = structuredClone(world.store.get<Pod>('pods', namespace, 'pod-1')) ?? {};
          let reads = 0;
          const when = ({ subresource }: { subresource: string }) =>
            subresource === '' && reads++ % (every + 1) === every;
          faults.add(
            { namespace, verb: 'get', resource: 'pods', when },
            { kind: 'Answer', status: 200, body },
          );
        },
      });
      expectSound([played], 'C2');
      expect(outcomeOf(played)).toMatch(/^(Stopped 0|Unproven)$/);
      tally('faults', 'C2', 1);
    },
  );
});

describe('D8: a sidecar that outlives what is sent from beside it', () => {
  it('does not get one more ephemeral container from every sweep', async () => {
    const once: Trouble = {
      policy: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] },
      pods: (namespace) => [stuckPod({ namespace, name: 'pod-1', sidecar: { on: {}, shell: false } })],
    };
    const first = await cluster.play(once);
    const { namespace } = first;
    const left = () => first.store.get<Pod>('pods', namespace, 'pod-1')?.spec.ephemeralContainers;
    expect(left()).toHaveLength(1);
    for (let sweep = 0; sweep < 12; sweep++) {
      await cluster.play({ ...once, pods: () => [], flags: { namespaces: [namespace] } });
    }
    expect(left()).toHaveLength(8);
    tally('badInputs', 'D8', 13);
  });
});
