import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import { sweepReport } from '../../../../src/report/schema.ts';
import { arbitraryPod } from '../../../builders/arbitrary-pod.ts';
import { hour, now } from '../../../builders/pod-view.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
import { endOf, finished, listed, planMade, podRef, reportOf, started } from '../../../builders/report.ts';

describe('with any events', () => {
  /** Pods, some of them concluded before the sweep ends or stops early. */
  const story = fc.record({
    pods: fc.array(arbitraryPod, { maxLength: 8 }),
    concludedPods: fc.nat(8),
    stop: fc.constantFrom(undefined, 'Deadline' as const, 'Signal' as const),
    dryRun: fc.boolean(),
    planned: fc.boolean(),
  });

  it('every sidecar of every candidate has one outcome, and the totals add up', () => {
    fc.assert(
      fc.property(story, ({ pods, concludedPods, stop, dryRun, planned }) => {
        const verdicts = pods.map((pod, index) =>
          judge({ ...pod, ref: podRef(index) }, policy({ minAge: 0 }), now + hour, noFacts),
        );
        const candidates = verdicts.flatMap((verdict) => (verdict.kind === 'Candidate' ? [verdict] : []));
        const report = reportOf(
          started({ dryRun }),
          ...listed(...verdicts),
          ...(planned ? [planMade(...candidates)] : []),
          ...(planned && !dryRun ? candidates.slice(0, concludedPods).map((one) => endOf(one)) : []),
          ...(stop ? [{ kind: 'Stopping', reason: stop } as const] : []),
          finished,
        );
        const expected = candidates.flatMap(({ pod, sidecars }) =>
          sidecars.map((sidecar) => `${pod.ref.name}/${sidecar.container.name}`),
        );
        const found = report.pods.flatMap(({ name, containers }) =>
          containers.flatMap((one) => (one.role === 'Sidecar' ? [`${name}/${one.name}`] : [])),
        );
        expect(found.sort()).toEqual(expected.sort());
        const { totals } = report;
        const { excluded, undecided, notStartedAgain } = totals;
        const leftAlone = excluded + undecided + notStartedAgain + sum(totals.hanging);
        expect(totals.listed).toBe(leftAlone + totals.candidates);
        expect(sum(totals.pods)).toBe(candidates.length);
        expect(sum(totals.sidecars)).toBe(expected.length);
        expect(sweepReport.safeParse(report).error).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  function sum(counts: Readonly<Record<string, number>>): number {
    return Object.values(counts).reduce((total, count) => total + count, 0);
  }
});
