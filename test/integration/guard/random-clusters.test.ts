import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UncleanExit } from '../../../src/model/step.ts';
import { readPolicy } from '../../../src/policy/file.ts';
import { type PolicyFlags, resolvePolicy } from '../../../src/policy/policy.ts';
import { type SweepReport, sweepReport } from '../../../src/report/schema.ts';
import type { Pod } from '../../kit/emulator/index.ts';
import { grace } from '../../kit/random/random-behaviour.ts';
import { FastCluster, type Namespace, noopImage, type UncleanEnd } from './fast-cluster.ts';
import { type RandomCluster, randomCluster } from './random-cluster.ts';

const lastResorts = {
  none: [],
  ephemeral: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }],
  swap: [{ imageSwap: { image: noopImage } }],
  deadline: [{ deadline: true }],
};
type LastResort = keyof typeof lastResorts;

/** One of several sweeps, and the stuck pod that another client deletes during it. */
const round = fc.record({
  lastResort: fc.constantFrom<LastResort>('none', 'none', 'ephemeral', 'swap', 'deadline'),
  vanish: fc.option(fc.record({ which: fc.nat({ max: 9 }), after: fc.nat({ max: grace * 2 }) }), { freq: 3 }),
});

interface Scenario {
  readonly cluster: RandomCluster;
  readonly rule: UncleanExit;
  readonly rounds: readonly Round[];
}

interface Round {
  readonly lastResort: LastResort;
  readonly vanish: { readonly which: number; readonly after: number } | null;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  cluster: randomCluster,
  rule: fc.constantFrom<UncleanExit>('canary', 'canary', 'canary', 'forbid', 'allow'),
  rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
});

/** Many scenarios run at the same time, because sweeps mostly wait. */
const scenarios = fc.array(scenario, { minLength: 1, maxLength: 30, size: 'max' });

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start();
});
afterAll(() => fast.stop());

describe('after repeated sweeps of random clusters, finished work', () => {
  // Each of these once reran finished work more often than the guard promises. Others are drawn in test/kit/random.
  it.each([
    { seed: 1948355869, path: '0:1:1:1:3:3:3:4' },
    { seed: 7, path: '17' },
    { seed: 8, path: '6' },
  ])('runs again no more often for seed $seed, path $path', async ({ seed, path }) => {
    const kept = fc.sample(scenarios, { seed, path, numRuns: 1 });
    expect(kept).toHaveLength(1);
    await Promise.all(kept.flat().map(sweepAndExpect));
  });

  it('runs again only once even if a canary ends unclean long after its grace period', async () => {
    const late = { on: { SIGTERM: { exitCode: 1, after: grace * 6 } } };
    const job = { image: 0, way: 0, pods: 1, restartPolicy: 'Never', mainExitCode: 0, comes: 0 } as const;
    const jobs = [0, 1].map(() => ({ ...job, hasKillCommand: false }));
    const cluster: RandomCluster = { images: [[late]], jobs };
    await sweepAndExpect({ cluster, rule: 'canary', rounds: [{ lastResort: 'none', vanish: null }] });
  });

  it.each<readonly [UncleanExit, string, number]>([
    ['allow', 'all run again', 3],
    ['canary', 'one runs again', 1],
    ['forbid', 'none runs again', 0],
  ])('of three Jobs whose sidecars exit 143, with %s: %s', async (rule, _what, count) => {
    const job = { image: 0, way: 0, pods: 1, restartPolicy: 'Never', mainExitCode: 0, comes: 0 } as const;
    const jobs = [0, 0, 1].map((comes) => ({ ...job, comes, hasKillCommand: false }));
    const namespace = fast.createNamespace({ images: [[{ on: { SIGTERM: { exitCode: 143 } } }]], jobs });
    for (const sweep of [0, 1]) {
      await namespace.fill(sweep);
      await sweepOnce(namespace, rule, { lastResort: 'none', vanish: null });
    }
    namespace.leave();
    const images = namespace.uncleanEnds().map(({ image }) => image);
    // The second sweep may also end the new pods of the first two Jobs.
    expect(rule === 'allow' ? Math.min(images.length, count) : images.length).toBe(count);
  });
});

async function sweepAndExpect({ cluster, rule, rounds }: Scenario): Promise<void> {
  const namespace = fast.createNamespace(cluster);
  let known = 0;
  for (const [index, round] of rounds.entries()) {
    await namespace.fill(index);
    await sweepOnce(namespace, rule, round);
    // Sidecars that were told to end may be slow, and so may this machine.
    await namespace.pass(grace * 10);
    expectFewUnclean(rule, namespace.uncleanEnds().slice(known));
    known = namespace.uncleanEnds().length;
  }
  namespace.leave();
  // A sweep learns from earlier ones only what the cluster still shows.
  const shown = namespace.uncleanEnds().filter((end) => namespace.isShown(end));
  expectFewUnclean(rule, shown);
}

/** Expects at most one of those that are started alike and three of an image with canary, and none with forbid. */
function expectFewUnclean(rule: UncleanExit, ends: readonly UncleanEnd[]): void {
  if (rule === 'allow') return;
  const programs = ends.map(({ program }) => program);
  if (rule === 'forbid') expect(programs).toEqual([]);
  expect(programs).toHaveLength(new Set(programs).size);
  for (const image of new Set(ends.map((end) => end.image))) {
    expect(ends.filter((end) => end.image === image).length, image).toBeLessThanOrEqual(3);
  }
}

async function sweepOnce(
  namespace: Namespace,
  rule: UncleanExit,
  { lastResort, vanish }: Round,
): Promise<SweepReport> {
  const before = namespace.stuckPods();
  const victim = vanish && before[vanish.which % Math.max(before.length, 1)];
  const sweeping = namespace.sweep(policyOf(namespace, rule, lastResort));
  if (vanish && victim) await vanishDuring(namespace, victim.metadata.name, vanish.after);
  const report = await sweeping;
  expectAccountedFor(
    before.filter((pod) => pod !== victim),
    report,
  );
  return report;
}

async function vanishDuring(namespace: Namespace, name: string, after: number): Promise<void> {
  await namespace.pass(after);
  if (namespace.pods().some(({ metadata }) => metadata.name === name)) namespace.delete(name);
}

function policyOf({ name }: Namespace, uncleanExit: UncleanExit, lastResort: LastResort) {
  const written = {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'SweepPolicy',
    lastResort: lastResorts[lastResort],
  };
  const read = readPolicy(JSON.stringify(written));
  if (read.kind !== 'Policy') throw new Error(JSON.stringify(read.problems));
  const flags: PolicyFlags = { namespaces: [name], minAge: 0, uncleanExit, lastResort: [] };
  return resolvePolicy(flags, read.policy);
}

/** Expects every stuck pod once in the report, with one outcome for its sidecar. */
function expectAccountedFor(stuck: readonly Pod[], report: SweepReport): void {
  expect(sweepReport.safeParse(report).error).toBeUndefined();
  const reported = report.pods.map(({ uid }) => uid);
  expect(reported).toHaveLength(new Set(reported).size);
  expect(stuck.filter(({ metadata }) => !reported.includes(metadata.uid))).toEqual([]);
  for (const { containers, outcome } of report.pods) {
    const sidecars = containers.flatMap((one) => (one.role === 'Sidecar' ? [one.outcome.kind] : []));
    expect([sidecars.length, outcome.kind]).toEqual([1, expect.any(String)]);
  }
}
