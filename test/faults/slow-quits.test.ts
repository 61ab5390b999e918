import { describe, expect, it } from 'vitest';
import type { PolicyFlags } from '../../src/policy/policy.ts';
import type { LightBehaviour } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { type StuckPod, stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { tell, tunnels } from './streams.ts';

const cluster = startedOnce(() => FaultyCluster.start());

const minute = 60_000;
const quit = { port: 15_020, path: '/quitquitquit', exitCode: 0, after: minute };

/** How else a sidecar can be ended that takes a minute to quit. */
const sidecars: readonly (readonly [title: string, LightBehaviour, then: string])[] = [
  ['has no shell', { quit, shell: false }, 'NoSuchProgram'],
  ['handles no signal', { quit, on: {} }, 'Immune'],
  ['takes as long on TERM', { quit, on: { SIGTERM: { exitCode: 0, after: minute } } }, 'Accepted'],
];

async function play(pod: StuckPod, flags: Partial<PolicyFlags> = {}) {
  const pods = (namespace: string) => [stuckPod({ ...tunnels.pod, ...pod, namespace, name: 'pod-1' })];
  const [told] = await tell(cluster, 'B12', [{ flags, policy: { annotationCommands: 'any' }, pods }]);
  return told ?? expect.fail();
}

describe.each(sidecars)('B12: a sidecar that quits within a minute and %s', (_title, sidecar, then) => {
  it('is waited for where its grace period is longer', async () => {
    const told = await play({ sidecar, grace: 90 }, { lastResort: ['delete'], uncleanExit: 'allow' });
    expect(told).toMatchObject({ outcome: 'Stopped 0', attempts: ['Accepted'] });
    expect(told.requests.filter(({ verb }) => verb === 'delete')).toEqual([]);
  });

  it('runs on where its grace period is shorter, and is never killed unless that is asked for', async () => {
    for (const grace of [0, 1, 30]) {
      const { outcome, attempts, requests } = await play({ sidecar, grace });
      expect([outcome, ...attempts.slice(0, 2)]).toEqual(['StillRunning Outlived', 'Accepted', then]);
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    }
  });
});
