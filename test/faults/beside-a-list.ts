import type { SweepReport } from '../../src/report/schema.ts';
import { policyFlag } from '../kit/cli.ts';
import type { Job } from '../kit/emulator/index.ts';
import { appendTo, type HostileList } from '../kit/hostile-lists.ts';
import { podsOfJob } from '../kit/stuck-jobs.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { watchRun } from './watched-run.ts';

export const innocent = 20;

/** A sweep with the heap of the manifests, beside these pods. */
export async function sweepBeside(list: HostileList, deadline: number) {
  const cluster = await TestCluster.start();
  const { world } = cluster.emulator;
  for (let index = 0; index < innocent; index++) {
    const pod = { name: `innocent-${index}` };
    // The failed pods of Jobs are read only if a stuck pod has a Job of which some have failed.
    world.placePods(list.isOfFailed ? podsOfJob(world, { name: `job-${index}`, pod }) : [stuckPod(pod)]);
  }
  for (const { metadata } of world.store.list('jobs')) {
    const failed = (job: Job): Job => ({ ...job, status: { ...job.status, failed: 1 } });
    world.store.update('jobs', metadata.namespace, metadata.name, failed);
  }
  appendTo(cluster, list);
  const limits = ['--deadline', `${deadline}s`, '--request-timeout', '30s'];
  const flags = 'sweep --yes --no-lock --min-age 0s --unclean-exit allow -o json'.split(' ');
  const argv = [
    ...flags,
    ...limits,
    ...policyFlag({ brakePods: 2_000 }),
    '--kubeconfig',
    await cluster.kubeconfig(),
  ];
  const began = performance.now();
  try {
    const run = await watchRun(argv, { NODE_OPTIONS: '--max-old-space-size=384' });
    const seconds = (performance.now() - began) / 1_000;
    if (run.stdout === '')
      throw new Error(`no report, exit code ${run.exitCode}: ${run.stderr.slice(-2_000)}`);
    return { ...run, report: JSON.parse(run.stdout) as SweepReport, seconds };
  } finally {
    await cluster.stop();
  }
}
