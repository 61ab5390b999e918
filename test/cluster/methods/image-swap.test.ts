import { beforeAll, describe, expect, it } from 'vitest';
import { containerOf, ignoresTerm, processesAvailable } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import { ProcessCluster, podReport, type Swept, sidecarReport } from './process-cluster.ts';

const why = processesAvailable();

describe.skipIf(why)(`an image swap ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start());
  let swept: Swept;

  beforeAll(async () => {
    const deaf = containerOf('sidecar', ignoresTerm);
    cluster.createJob({
      name: 'two',
      sweep: 'swap',
      sidecars: [deaf, { ...deaf, name: 'other' }],
      annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,other' },
    });
    const preStop = { exec: { command: ['/app/perl', '-e', 'sleep 4'] } };
    cluster.createJob({
      name: 'hook',
      sweep: 'swap',
      // Without the hook, it would exit at once.
      sidecars: [{ name: 'sidecar', image: 'docker.io/local/distroless-sidecar:1', lifecycle: { preStop } }],
      annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar' },
      spec: { terminationGracePeriodSeconds: 10 },
    });
    await cluster.untilStuck();
    const lastResort = [{ imageSwap: { image: 'docker.io/local/nop:1' } }];
    swept = await cluster.sweep('swap', { policy: { lastResort, uncleanExit: 'allow' } });
  });

  it('ends two sidecars of a pod with one patch', () => {
    for (const name of ['sidecar', 'other']) {
      expect(sidecarReport(swept, 'two', name).outcome).toEqual({ kind: 'Stopped', exitCode: 0 });
    }
    const pod = cluster.podOf('two')?.metadata.name;
    const patches = cluster.emulator.requests.filter(({ name, verb }) => name === pod && verb === 'patch');
    // The first asks the API server whether it would admit the swap.
    expect(patches.map(({ path }) => path.includes('dryRun=All'))).toEqual([true, false]);
    expect(podReport(swept, 'two').outcome).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
  });

  it('lets a preStop hook run first', () => {
    const { outcome, attempts, endedAt = '' } = sidecarReport(swept, 'hook');
    expect(outcome).toEqual({ kind: 'Stopped', exitCode: 0 });
    const swap = attempts.at(-1);
    expect(swap?.method).toBe('ImageSwap');
    // The kubelet reports whole seconds.
    expect(Date.parse(endedAt) - Date.parse(swap?.sentAt ?? '')).toBeGreaterThanOrEqual(3_000);
    expect(podReport(swept, 'hook').outcome).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
  });
});
