import { describe, expect, it } from 'vitest';
import type { PolicyFlags } from '../../src/policy/policy.ts';
import type { LightBehaviour } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { type StuckPod, stuckPod } from '../kit/stuck-pods.ts';
import { expectSound, FaultyCluster } from './faulty-cluster.ts';
import { attemptsOf, outcomeOf, tunnels } from './streams.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => FaultyCluster.start());

const minute = 60_000;
const quit = { port: 15_020, path: '/quitquitquit', exitCode: 0, after: minute };

/** How else a sidecar can be ended that takes a minute to quit. */
const sidecars: readonly (readonly [title: string, LightBehaviour, then: string])[] = [
  ['has no shell', { quit, shell: false }, 'NoSuchProgram'],
  ['handles no signal', { quit, on: {} }, 'Immune'],
  ['takes as long on TERM', { quit, on: { SIGTERM: { exitCode: 0, after: minute } } }, 'Accepted'],
];

function play(pod: StuckPod, flags: Partial<PolicyFlags> = {}) {
  return cluster.play({
    flags,
    policy: { annotationCommands: 'any' },
    pods: (namespace) => [stuckPod({ ...tunnels.pod, ...pod, namespace, name: 'pod-1' })],
  });
}

describe.each(sidecars)('B12: a sidecar that quits within a minute and %s', (_title, sidecar, then) => {
  it('is waited for where its grace period is longer', async () => {
    const played = await play({ sidecar, grace: 90 }, { lastResort: ['delete'], uncleanExit: 'allow' });
    expectSound([played], 'B12');
    expect([outcomeOf(played), attemptsOf(played)]).toEqual(['Stopped 0', ['Accepted']]);
    expect(played.requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
    tally('faults', 'B12', 1);
  });

  it('runs on where its grace period is shorter, and is never killed unless that is asked for', async () => {
    for (const grace of [0, 1, 30]) {
      const played = await play({ sidecar, grace });
      expectSound([played], 'B12');
      expect([outcomeOf(played), attemptsOf(played).slice(0, 2)]).toEqual([
        'StillRunning Outlived',
        ['Accepted', then],
      ]);
      expect(played.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      tally('faults', 'B12', 1);
    }
  });
});
