import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyFlags, resolvePolicy, type SweepReport, sweepReport } from '../../../src/index.ts';
import { readPolicy } from '../../../src/policy/file.ts';
import type { UncleanExit } from '../../../src/types.ts';
import type { Pod } from '../../emulator/world/objects.ts';
import { FastCluster, type Namespace, noopImage, type UncleanEnd } from './fast-cluster.ts';
import { grace, type RandomCluster, randomCluster } from './random-cluster.ts';

const lastResorts = {
  none: [],
  ephemeral: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }],
  swap: [{ imageSwap: { image: noopImage } }],
  deadline: [{ deadline: true }],
};
type LastResort = keyof typeof lastResorts;

/** One sweep of several, and which of the stuck pods somebody else deletes while it runs. */
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

/** So many at a time: a sweep does little but wait. */
const scenarios = fc.array(scenario, { minLength: 1, maxLength: 10, size: 'max' });

let fast: FastCluster;
beforeAll(async () => {
  fast = await FastCluster.start();
});
afterAll(() => fast.stop());

describe('over random clusters, swept again and again, finished work', () => {
  it('runs again once an image and method at most with canary, and never with forbid', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (all) => {
        await Promise.all(all.map(sweepAndExpect));
      }),
      { numRuns: 8 },
    );
  });
});

async function sweepAndExpect({ cluster, rule, rounds }: Scenario): Promise<void> {
  const namespace = fast.createNamespace(cluster);
  const reports: SweepReport[] = [];
  let known = 0;
  for (const [index, round] of rounds.entries()) {
    await namespace.fill(index);
    const report = await sweepOnce(namespace, rule, round);
    // What has been told to end may take its time.
    await namespace.pass(grace * 7);
    expectFewUnclean(rule, namespace.uncleanEnds().slice(known), [report], ({ image }) => image);
    known = namespace.uncleanEnds().length;
    reports.push(report);
  }
  namespace.leave();
  expectFewUnclean(rule, namespace.uncleanEnds(), reports, ({ image, job }) => `${image} of ${job}`);
}

/** With canary each image (of each Job) has at most as many unclean ends as methods were tried on it; with forbid none. */
function expectFewUnclean(
  rule: UncleanExit,
  ends: readonly UncleanEnd[],
  reports: readonly SweepReport[],
  keyOf: (end: UncleanEnd) => string,
): void {
  if (rule === 'allow') return;
  const counted = new Map<string, number>();
  for (const end of ends) {
    const count = (counted.get(keyOf(end)) ?? 0) + 1;
    counted.set(keyOf(end), count);
    const most = rule === 'forbid' ? 0 : methodsTriedOn(reports, end.image);
    expect(count, `unclean ends of ${keyOf(end)}`).toBeLessThanOrEqual(most);
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

/** Every pod that was stuck is in the report once, and each of its sidecars has one outcome. */
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

/** How many methods whose end nobody knows have been tried on an image. */
function methodsTriedOn(reports: readonly SweepReport[], image: string): number {
  const attempts = sidecarsOf(reports).flatMap((one) => (one.image === image ? one.attempts : []));
  const unknown = attempts.filter(
    ({ expectedExitCode, result }) => expectedExitCode === undefined && result.kind !== 'Held',
  );
  return new Set(unknown.map(({ method }) => method)).size;
}

function sidecarsOf(reports: readonly SweepReport[]) {
  return reports
    .flatMap(({ pods }) => pods)
    .flatMap(({ containers }) => containers.flatMap((one) => (one.role === 'Sidecar' ? [one] : [])));
}
