import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SweepReport } from '../../src/report/schema.ts';
import { policyFlag } from '../kit/cli.ts';
import { type HostileList, HostileServer } from '../kit/hostile-lists.ts';
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
  const server = await HostileServer.start(cluster, list);
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-hostile-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, server.kubeconfig);
  const limits = ['--deadline', `${deadline}s`, '--request-timeout', '30s'];
  const flags = 'sweep --yes --no-lock --min-age 0s --unclean-exit allow -o json'.split(' ');
  const argv = [...flags, ...limits, ...policyFlag({ brakePods: 2_000 }), '--kubeconfig', kubeconfig];
  const began = performance.now();
  try {
    const run = await watchRun(argv, { NODE_OPTIONS: '--max-old-space-size=384' });
    const seconds = (performance.now() - began) / 1_000;
    if (run.stdout === '')
      throw new Error(`no report, exit code ${run.exitCode}: ${run.stderr.slice(-2_000)}`);
    return { ...run, report: JSON.parse(run.stdout) as SweepReport, seconds };
  } finally {
    await server.stop();
    await cluster.stop();
    await rm(folder, { recursive: true });
  }
}
