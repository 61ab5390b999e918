import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyFlags, resolvePolicy, type SweepReport, sweepReport } from '../../../src/index.ts';
import { readPolicy } from '../../../src/policy/file.ts';
import type { UncleanExit } from '../../../src/vocabulary.ts';
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
const scenarios = fc.array(scenario, { minLength: 1, maxLength: 30, size: 'max' });

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
      // On a machine that does much else at the same time, as many as can be had.
      { numRuns: 4, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false },
    );
  }, 180_000);

  it.each<readonly [UncleanExit, string, number]>([
    ['allow', 'all run again', 3],
    ['canary', 'one runs again', 1],
    ['forbid', 'none runs again', 0],
  ])('of three Jobs whose sidecars end with 143, with %s: %s', async (rule, _what, count) => {
    const job = { image: 0, way: 0, pods: 1, restartPolicy: 'Never', mainExitCode: 0, comes: 0 } as const;
    const jobs = [0, 0, 1].map((comes) => ({ ...job, comes, hasKillCommand: false }));
    const namespace = fast.createNamespace({ images: [[{ on: { SIGTERM: { exitCode: 143 } } }]], jobs });
    for (const sweep of [0, 1]) {
      await namespace.fill(sweep);
      await sweepOnce(namespace, rule, { lastResort: 'none', vanish: null });
    }
    namespace.leave();
    const images = namespace.uncleanEnds().map(({ image }) => image);
    // The new pods of the first two may be ended by the second sweep once more.
    expect(rule === 'allow' ? Math.min(images.length, count) : images.length).toBe(count);
  });
});

async function sweepAndExpect({ cluster, rule, rounds }: Scenario): Promise<void> {
  const namespace = fast.createNamespace(cluster);
  const reports: SweepReport[] = [];
  let known = 0;
  for (const [index, round] of rounds.entries()) {
    await namespace.fill(index);
    reports.push(await sweepOnce(namespace, rule, round));
    // What has been told to end may take its time.
    await namespace.pass(grace * 7);
    expectFewUnclean(rule, namespace.uncleanEnds().slice(known), reports);
    known = namespace.uncleanEnds().length;
  }
  namespace.leave();
  // A sweep knows of earlier ones what the cluster still shows.
  const shown = namespace.uncleanEnds().filter((end) => namespace.isShown(end));
  expectFewUnclean(rule, shown, reports);
}

/** With canary one for each image and method, with forbid none. */
function expectFewUnclean(
  rule: UncleanExit,
  ends: readonly UncleanEnd[],
  reports: readonly SweepReport[],
): void {
  if (rule === 'allow') return;
  const causes = ends.map((end) =>
    methodsThatMayHaveEnded(end, reports).map((method) => `${end.image} by ${method}`),
  );
  if (rule === 'forbid') expect(causes).toEqual([]);
  else expect(canDiffer(causes), JSON.stringify(causes)).toBe(true);
}

/**
 * The methods that may have ended a sidecar: the last that was used on it before, and those that were used in the same second,
 * as the cluster tells whole seconds.
 */
function methodsThatMayHaveEnded(
  { uid, at }: UncleanEnd,
  reports: readonly SweepReport[],
): readonly string[] {
  const accepted = reports
    .flatMap(({ pods }) => pods.filter((pod) => pod.uid === uid))
    .flatMap(({ containers }) => containers.flatMap((one) => (one.role === 'Sidecar' ? one.attempts : [])))
    .filter(({ result }) => result.kind === 'Accepted');
  const before = accepted.filter(({ sentAt }) => Date.parse(sentAt) < at).slice(-1);
  const inThatSecond = accepted.filter(({ sentAt }) => Math.floor(Date.parse(sentAt) / 1_000) * 1_000 === at);
  const methods = [...before, ...inThatSecond].map(({ method }) => method);
  return methods.length > 0 ? [...new Set(methods)] : ['nothing'];
}

/** Whether each can have a cause of its own. */
function canDiffer(
  [first, ...others]: readonly (readonly string[])[],
  taken: readonly string[] = [],
): boolean {
  if (!first) return true;
  return first.some((cause) => !taken.includes(cause) && canDiffer(others, [...taken, cause]));
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
