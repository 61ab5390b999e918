import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/policy/file.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ensureNamespace, type Job, type LightBehaviour } from '../../kit/emulator/index.ts';
import { noopImages } from '../../kit/random/noop-images.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { stuckJob } from '../../kit/stuck-jobs.ts';
import { sidecars } from '../../kit/stuck-pods.ts';
import { stutter } from '../../kit/stutter.ts';

interface Case {
  readonly sidecar: LightBehaviour;
  readonly restartPolicy: 'Never' | 'OnFailure';
  readonly backoffLimit: number;
  readonly pods: number;
}

/** Each has an image of its own, so that what is learnt of one says nothing about another. */
const jobs: Readonly<Record<string, Case>> = {
  clean: { sidecar: sidecars.clean, restartPolicy: 'Never', backoffLimit: 0, pods: 5 },
  unclean: { sidecar: sidecars.unclean, restartPolicy: 'Never', backoffLimit: 6, pods: 5 },
  'unclean-restarted': { sidecar: sidecars.unclean, restartPolicy: 'OnFailure', backoffLimit: 6, pods: 5 },
  'without-room': { sidecar: sidecars.unclean, restartPolicy: 'Never', backoffLimit: 0, pods: 5 },
  'shell-less': { sidecar: sidecars.shellLess, restartPolicy: 'OnFailure', backoffLimit: 2, pods: 6 },
  immune: { sidecar: sidecars.immune, restartPolicy: 'OnFailure', backoffLimit: 0, pods: 3 },
};
/** So that by signals, something is sent. */
const endsClean = {
  name: 'clean',
  containers: ['sidecar'],
  images: ['acme/clean'],
  steps: [{ signal: ['TERM'], exitCode: 0 }],
};
const pods = Object.values(jobs).reduce((sum, job) => sum + job.pods, 0);

let cluster: SimulatedCluster;
beforeAll(async () => {
  cluster = await SimulatedCluster.start();
});
afterEach(() => cluster.emulator.faults.clear());
afterAll(() => cluster.stop());

function createJob(namespace: string, name: string, { backoffLimit, pods, ...more }: Case): void {
  const spec = { backoffLimit, parallelism: pods, completions: pods };
  const image = `docker.io/acme/${name}:1`;
  cluster.emulator.world.createJob(stuckJob({ ...more, namespace, name, image, spec }));
}

interface Swept {
  /** What became of each Job and its pods. */
  readonly jobs: object;
  /** How many requests failed. */
  readonly failed: number;
}

/** Sweeps Jobs of each kind in a namespace of their own. */
async function sweep(namespace: string, swaps: boolean, seed: number | undefined): Promise<Swept> {
  const { emulator, simulation } = cluster;
  ensureNamespace(emulator.world, namespace);
  for (const [name, job] of Object.entries(jobs)) createJob(namespace, name, job);
  await simulation.run(simulation.pass(10_000));
  const failed = seed === undefined ? () => 0 : stutter(emulator, seed);
  const report = await simulation.run(cluster.sweep(namespace, policyOf(namespace, swaps), () => undefined));
  emulator.faults.clear();
  await simulation.run(simulation.pass(60_000));
  expect(report.pods).toHaveLength(pods);
  expect(stateOf(namespace, swaps ? 'shell-less' : 'clean').succeeded).toBeGreaterThan(0);
  const names = Object.keys(jobs);
  const outcomes = names.map(
    (name) => [name, { ...stateOf(namespace, name), pods: outcomesOf(report, name) }] as const,
  );
  return { jobs: Object.fromEntries(outcomes), failed: failed() };
}

function policyOf(namespace: string, swaps: boolean) {
  const written = {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'SweepPolicy',
    ...(swaps ? { imageSwap: { ...noopImages.HasAll, commands: 'shipped' } } : { profiles: [endsClean] }),
  };
  const read = readPolicy(JSON.stringify(written));
  if (read.kind !== 'Policy') throw new Error(JSON.stringify(read.problems));
  return resolvePolicy({ namespaces: [namespace], minAge: 0, maxPods: 1_000, lastResort: [] }, read.policy);
}

/** Sorted, as the order of a Job’s pods is not said. */
function outcomesOf(report: SweepReport, job: string): readonly string[] {
  return report.pods
    .filter(({ name }) => name.slice(0, name.lastIndexOf('-')) === job)
    .map(({ outcome, containers }) => {
      const ends = containers.flatMap((one) => (one.role === 'Sidecar' ? [one.outcome] : []));
      // How far the Job is by then depends on the order of its pods; its conditions show how far it came.
      const { job: _when, ...own } = 'job' in outcome ? outcome : { ...outcome, job: undefined };
      return JSON.stringify([own, ...ends]);
    })
    .sort();
}

/** What the cluster shows of the Job: how its pods ended, how many began, and what it may fail. */
function stateOf(namespace: string, name: string) {
  const { store } = cluster.emulator.world;
  const { spec, status } = store.get<Job>('jobs', namespace, name) ?? {};
  return {
    succeeded: status?.succeeded ?? 0,
    failed: status?.failed ?? 0,
    conditions: (status?.conditions ?? []).map(({ type }) => type),
    backoffLimit: spec?.backoffLimit,
  };
}

describe('an API server that fails one request of ten with 429, 500, 503, a cut body or a reset', () => {
  it.each([
    ['signals', 1],
    ['signals', 2],
    ['image swaps', 3],
    ['image swaps', 4],
  ] as const)('changes the outcome of no Job and none of their pods (%s, seed %i)', async (means, seed) => {
    const swaps = means === 'image swaps';
    const calm = await sweep(`calm-${seed}`, swaps, undefined);
    const stuttering = await sweep(`stutter-${seed}`, swaps, seed);
    expect(stuttering.failed).toBeGreaterThan(0);
    expect(stuttering.jobs).toEqual(calm.jobs);
  });
});
