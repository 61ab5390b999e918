import { describe, expect, it } from 'vitest';
import { startedForEach } from '../../kit/started.ts';
import { podOutcome, sidecarOutcome, TestCluster } from '../../kit/stuck-pods.ts';
import { placeInjected } from './injected-pods.ts';

const cluster = startedForEach(() => TestCluster.start());

describe('a sidecar injected by an admission webhook', () => {
  it('is found and ended without configuration, because the Job’s template lacks it', async () => {
    placeInjected(cluster.emulator, { name: 'work' });
    const { run, report } = await cluster.sweep(['--unclean-exit', 'allow']);
    expect(report.pods[0]?.containers).toMatchObject([
      { role: 'Main', name: 'main', because: { kind: 'NoEvidence' } },
      { role: 'Sidecar', name: 'sidecar', because: { kind: 'NotInJobTemplate', job: 'work' } },
    ]);
    expect(sidecarOutcome(report, 'work-0')).toEqual({ kind: 'Stopped', exitCode: 0 });
    expect(podOutcome(report, 'work-0')).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
    expect(run.exitCode).toBe(0);
  });

  it('is also found in the pods of a CronJob’s Job', async () => {
    placeInjected(cluster.emulator, { name: 'work-29391840', cronJob: 'work' });
    const { report } = await cluster.sweep(['--dry-run']);
    expect(report.pods.map(({ name }) => name)).toEqual(['work-29391840-0']);
  });
});
