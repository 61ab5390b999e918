import { expect, it } from 'vitest';
import type { Hanging } from '../../../../src/model/verdict.ts';
import { sweepReport } from '../../../../src/report/schema.ts';
import { withApplied } from '../../../../src/report/sweep/applied.ts';
import { candidate } from '../../../builders/plan.ts';
import { now, podView } from '../../../builders/pod-view.ts';
import { endOf, finished, listed, planMade, podRef, reportOf, started } from '../../../builders/report.ts';

const ended = candidate(podView({ ref: podRef(1) }));
const left = candidate(podView({ ref: podRef(2) }));
const hanging: Hanging = {
  kind: 'Hanging',
  pod: podView({ ref: podRef(3) }),
  hang: { kind: 'MainNotRestarted', container: 'main', exitCode: 1 },
  since: now,
  because: [],
  remarks: [],
};
const planned = reportOf(
  started({ id: 'planned', dryRun: true }),
  ...listed(ended, left, hanging),
  planMade(ended, left),
  { kind: 'Warned', warning: { kind: 'ListInconsistent' } },
  finished,
);

it('has what the plan found, and what became of the pods that it was carried out for', () => {
  const applied = reportOf(
    started({ id: 'applied' }),
    { kind: 'PodJudged', verdict: ended },
    planMade(ended),
    { kind: 'Warned', warning: { kind: 'ListInconsistent' } },
    endOf(ended),
    finished,
  );
  const report = withApplied(planned, applied);
  expect(sweepReport.safeParse(report).error).toBeUndefined();
  expect(report.run).toMatchObject({ id: 'applied', dryRun: false });
  expect(report.pods.map(({ name, outcome }) => [name, outcome.kind])).toEqual([
    ['pod-1', applied.pods[0]?.outcome.kind],
    ['pod-2', 'NotAttempted'],
  ]);
  expect(report.totals).toEqual({
    ...planned.totals,
    pods: { [applied.pods[0]?.outcome.kind ?? '']: 1, NotAttempted: 1 },
    sidecars: { NotAttempted: 1, Stopped: 1 },
  });
  expect(report.totals.hanging).toEqual({ MainNotRestarted: 1 });
  expect(report.hanging).toEqual(planned.hanging);
  expect(report.warnings).toEqual([{ kind: 'ListInconsistent' }]);
});
