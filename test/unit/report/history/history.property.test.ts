import fc from 'fast-check';
import { expect, it } from 'vitest';
import { historyOf } from '../../../../src/report/history/history.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { hour, minute, now } from '../../../builders/pod-view.ts';
import { endedPod, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const arbitraryPod = fc
  .record({
    number: fc.nat(6),
    namespace: fc.constantFrom('a', 'b'),
    since: fc.integer({ min: 0, max: 48 }),
    fate: fc.constantFrom('blocked', 'ended', 'gone'),
    cpu: fc.constantFrom(0.1, 0.25, 0.3),
  })
  .map(({ number, namespace, since, fate, cpu }) => {
    const requests = { cpu, memory: 1000 * number };
    const pod = { name: `pod-${number}`, namespace, mainsEndedAt: now - since * hour, requests };
    if (fate === 'blocked') return stuckPod(pod);
    if (fate === 'ended') return endedPod({ ...pod, endedAt: now + number * minute });
    return stuckPod({ ...pod, outcome: { kind: 'Gone', job: { kind: 'NoJob' } } });
  });

const arbitraryReport = fc
  .record({
    minutes: fc.nat(10_000),
    pods: fc.uniqueArray(arbitraryPod, { maxLength: 5, selector: ({ uid }) => uid }),
    context: fc.constantFrom('prod', 'staging'),
    shard: fc.constantFrom(undefined, { index: 0, of: 2 }, { index: 1, of: 2 }),
    namespaces: fc.constantFrom([], ['a']),
  })
  .map(({ minutes, shard, ...rest }) =>
    sweepAt({ at: now + minutes * minute, ...(shard && { shard }), ...rest }),
  );

/** Different runs; some begin at the same time. */
const arbitraryReports = fc
  .array(arbitraryReport, { maxLength: 20 })
  .map((reports) =>
    reports.map((report, index): SweepReport => ({ ...report, run: { ...report.run, id: `run-${index}` } })),
  );

it('the order of reports does not matter', () => {
  const both = arbitraryReports.chain((reports) =>
    fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
  );
  const property = fc.property(both, ([reports, shuffled]) => {
    expect(historyOf(shuffled)).toEqual(historyOf(reports));
  });
  fc.assert(property);
});

it('dry runs add nothing but their number', () => {
  fc.assert(
    fc.property(arbitraryReports, fc.array(arbitraryReport, { maxLength: 5 }), (reports, others) => {
      const dry = others.map((report) => ({ ...report, run: { ...report.run, dryRun: true } }));
      const all = historyOf([...dry, ...reports]);
      expect(all.read.dryRuns).toBe(dry.length);
      expect({ ...all, read: { ...all.read, dryRuns: 0 } }).toEqual(historyOf(reports));
    }),
  );
});

it('all parts add up to the whole', () => {
  fc.assert(
    fc.property(arbitraryReports, (reports) => {
      const { totals, trend, clusters, namespaces, stuck } = historyOf(reports);
      expect(totals.ended + totals.gone + totals.stuck).toBe(totals.pods);
      for (const list of [clusters, namespaces]) {
        expect(sum(list.map(({ pods }) => pods))).toBe(totals.pods);
        expect(sum(list.map(({ wasted }) => wasted.cpuHours))).toBeCloseTo(totals.wasted.cpuHours, 4);
      }
      const { points, wastedBefore } = trend;
      const inParts = sum(points.map(({ wasted }) => wasted.cpuHours));
      expect(inParts + wastedBefore.cpuHours).toBeCloseTo(totals.wasted.cpuHours, 3);
      expect(sum(points.map(({ found }) => found))).toBe(totals.pods);
      expect(points.at(-1)?.stuck ?? 0).toBe(totals.stuck);
      expect(stuck.length).toBe(totals.stuck);
      expect(sum(stuck.map(({ wasted }) => wasted.cpuHours))).toBeCloseTo(totals.wastedByStuck.cpuHours, 4);
    }),
  );
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
