import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { podOutcome, sidecarOutcome, TestCluster } from '../../kit/stuck-pods.ts';
import { placeInjected } from './injected-pods.ts';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
});
afterEach(() => cluster.stop());

function jobReads(): number {
  return cluster.emulator.requests.filter(({ verb, resource }) => verb === 'get' && resource === 'jobs')
    .length;
}

const rules = {
  pods: { apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list'] },
  nodes: { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
  exec: { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] },
};

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

  it('is found in all pods of a Job with a single read of the Job', async () => {
    placeInjected(cluster.emulator, { name: 'many', pods: 20 });
    const { report } = await cluster.sweep(['--dry-run']);
    expect(report.totals.candidates).toBe(20);
    expect(jobReads()).toBe(1);
  });

  it('needs a read of the Job only to know what an unclean end would cost if the pod’s annotations name it', async () => {
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar' };
    placeInjected(cluster.emulator, { name: 'work', annotations });
    const { report } = await cluster.sweep(['--dry-run']);
    expect(report.totals.candidates).toBe(1);
    expect(jobReads()).toBe(1);
    expect((await cluster.sweep(['--dry-run', '--min-age', '24h'])).report.totals.candidates).toBe(0);
    expect(jobReads()).toBe(1);
  });

  it('counts as a main container if Jobs cannot be read, with one warning', async () => {
    for (const namespace of ['demo', 'etl'])
      placeInjected(cluster.emulator, { name: 'work', namespace, pods: 3 });
    const token = cluster.emulator.serviceAccount({
      namespace: 'demo',
      name: 'sweeper',
      rules: [rules.pods, rules.nodes, rules.exec],
    });
    const { run, report } = await cluster.sweep(['--no-lock'], { user: { name: 'sweeper', token } });
    expect(report.totals).toMatchObject({ candidates: 0, excludedBecause: { MainRunning: 6, NoSidecar: 6 } });
    expect(report.warnings).toEqual([
      {
        kind: 'JobsUnreadable',
        namespaces: ['demo', 'etl'],
        message: expect.stringContaining('cannot get resource "jobs"'),
      },
    ]);
    expect(jobReads()).toBeLessThanOrEqual(6);
    expect(run.exitCode).toBe(0);
  });

  it('is not judged by a new Job with the same name', async () => {
    placeInjected(cluster.emulator, { name: 'work' });
    const { store } = cluster.emulator.world;
    store.update('jobs', 'demo', 'work', (job) => ({
      ...job,
      metadata: { ...job.metadata, uid: 'another' },
    }));
    const { report } = await cluster.sweep(['--dry-run']);
    expect(report.totals.candidates).toBe(0);
    expect(report.warnings).toEqual([]);
  });
});
