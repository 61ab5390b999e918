import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SweepReport } from '../../../src/report/schema.ts';
import { runCli } from '../cli.ts';
import { type Emulator, emulatorClock, ensureNamespace, type Pod, startEmulator } from '../emulator/index.ts';
import { problemsOfReport } from './check-report.ts';
import { unreasoned } from './compare.ts';
import { noFigures } from './figures.ts';
import { manifestsOf } from './manifests.ts';
import { noopBehaviour } from './noop-images.ts';
import { endsByItself, notAllowed, timeToFill, writtenPolicy } from './play.ts';
import { isStuck } from './read-pod.ts';
import type { Cluster, PlayedCluster } from './seeds.ts';
import { Witness } from './witness.ts';

/** Until the kubelet and the Job controller have shown what a sweep has done. */
const timeToShow = 5_000;
/** Exit codes that say what was left, and not that the sweep failed. */
const expected = [0, 3, 4, 5];

/** Sweeps clusters once, each by shards that are processes of their own, in real time. */
export async function playByProcesses(clusters: readonly Cluster[]): Promise<readonly PlayedCluster[]> {
  const emulator = await startEmulator({ clock: emulatorClock(), behaviours: noopBehaviour });
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-shards-'));
  try {
    return await Promise.all(clusters.map((cluster) => playOne(cluster, emulator, folder)));
  } finally {
    await emulator.stop();
    await rm(folder, { recursive: true });
  }
}

async function playOne(
  { seed, scenario }: Cluster,
  emulator: Emulator,
  folder: string,
): Promise<PlayedCluster> {
  const [round] = scenario.rounds;
  if (!round) throw new Error(`seed ${seed} has no sweep`);
  const { world } = emulator;
  const namespace = `processes-${seed}`;
  ensureNamespace(world, namespace);
  const witness = new Witness(emulator, namespace);
  const { jobs, pods } = manifestsOf(scenario, 0, namespace);
  for (const job of jobs) world.createJob(job);
  for (const pod of pods) world.createPod(pod);
  await setTimeout(timeToFill);
  const policy = join(folder, `${namespace}.json`);
  await writeFile(policy, JSON.stringify(writtenPolicy(round)));
  const stuck = world.store
    .list<Pod>('pods', namespace)
    .filter((pod) => isStuck(pod) && !endsByItself(pod, scenario));
  const shards = Math.max(2, round.shards);
  const flags = ['-n', namespace, '--lock', namespace, '--policy', policy, '--unclean-exit', scenario.rule];
  const run = async (index: number) => {
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    const name = `shard-${index}`;
    const token = emulator.serviceAccount({ namespace, name, rules });
    emulator.faults.add({ token }, { kind: 'Delay', milliseconds: 1 + index * round.latency });
    const kubeconfig = join(folder, `${namespace}-${name}`);
    await writeFile(kubeconfig, emulator.kubeconfig({ name, token }));
    const where = ['--kubeconfig', kubeconfig, '--shard', `${index}/${shards}`, '--min-age', '0s'];
    return runCli(['sweep', ...flags, ...where, '--deadline', '1m', '-o', 'json']);
  };
  const began = performance.now();
  const runs = await Promise.all(Array.from({ length: shards }, (_, index) => run(index)));
  const longest = Math.round(performance.now() - began);
  await setTimeout(timeToShow);
  const failed = scenario.rule === 'allow' ? [] : witness.finishedButFailed();
  const unclean = witness.uncleanEnds();
  const ended = runs.filter(({ exitCode }) => expected.includes(exitCode ?? -1));
  const reports: readonly SweepReport[] = ended.map(({ stdout }) => JSON.parse(stdout));
  const report = {
    pods: reports.flatMap(({ pods }) => pods),
    unread: reports.flatMap(({ unread }) => unread),
  };
  witness.leave();
  return {
    seed,
    problems: [
      ...runs
        .filter((one) => !ended.includes(one))
        .map(({ exitCode, stderr }) => `a process exited with ${exitCode}: ${stderr.slice(-2_000)}`),
      ...failed.map((job) => `(a) ${job} failed, whose mains had succeeded`),
      ...notAllowed(scenario, unclean).map((one) => `(b) ${one}`),
      ...unreasoned(report, stuck).map((one) => `(c) ${one}`),
      ...witness.sentTwice().map((one) => `(e) sent again after its end: ${one}`),
      ...witness.sentWrongly().map((one) => `(e) sent to a main, or before its end: ${one}`),
      ...reports.flatMap((one) => problemsOfReport(one, emulator.token)),
    ].map((one) => `by processes: ${one}`),
    figures: {
      ...noFigures,
      sweeps: shards,
      processes: shards,
      pods: report.pods.length,
      unclean: scenario.rule === 'allow' ? 0 : unclean.length,
      failed: failed.length,
      longest,
    },
  };
}
