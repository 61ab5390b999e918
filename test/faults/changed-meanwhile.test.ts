import { describe, expect, it } from 'vitest';
import { startedForEach } from '../kit/started.ts';
import { sidecarOutcome, stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster, playOne } from './faulty-cluster.ts';
import { changes, podName } from './races/changes.ts';
import { expectFair, race, racesOf } from './races/race.ts';
import { endsUncleanly, rungs } from './races/rungs.ts';
import { isSend } from './races/watcher.ts';

const cluster = startedForEach(() => FaultyCluster.start());

it('C4: a sidecar that comes back after its end is not asked again', async () => {
  const change = changes.find(({ restartPolicy }) => restartPolicy === 'OnFailure');
  if (!change) return expect.unreachable();
  const raced = await race(cluster, await racesOf(cluster, change, [endsUncleanly]));
  expectFair(raced, 'C4');
  for (const { report, exitCode } of raced) {
    expect(report.pods.map(({ outcome }) => outcome.kind)).toEqual(['Stuck']);
    expect(exitCode).toBe(4);
  }
});

describe('C3: a main that starts again while its sidecar has the grace of a step', () => {
  const [, killed] = rungs;
  const again = changes.find(({ title }) => title === 'sees its main run again');

  it.each([1, 500, 1_500, 2_900])('%i ms after the step ends it: no other step follows', async (after) => {
    if (!killed || !again) return expect.unreachable();
    const { sidecar, grace = 0, flags = {} } = killed;
    const played = await playOne(cluster, 'C3', {
      flags,
      pods: (namespace) => [stuckPod({ namespace, name: podName, sidecar, grace })],
      trouble: (namespace, { faults, world }) =>
        void faults.add(
          { namespace, subresource: 'exec' },
          { kind: 'Before', run: () => void world.clock.after(after, () => again.make(world, namespace)) },
          { times: 1 },
        ),
    });
    const reason = { kind: 'NoLongerCandidate', because: [{ kind: 'MainRunning' }] };
    expect(sidecarOutcome(played.report)).toMatchObject({ kind: 'Skipped', reason });
    expect(played.exitCode).toBe(0);
    expect(played.requests.filter(isSend)).toHaveLength(1);
  });
});

it.each(changes)('A6, C1, C2, C3: from then on, nothing is sent to a pod that $title', async (change) => {
  const raced = await race(cluster, await racesOf(cluster, change, rungs));
  expectFair(raced, change.row);
});
