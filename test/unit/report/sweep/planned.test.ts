import { expect, it } from 'vitest';
import type { PodReport, SweepReport } from '../../../../src/report/schema.ts';
import { countPlanned } from '../../../../src/report/sweep/planned.ts';
import { candidate } from '../../../builders/plan.ts';
import { plannedLines } from '../../../builders/rendered.ts';
import { finished, listed, planMade, reportOf, started } from '../../../builders/report.ts';
import { plain } from '../../../builders/style.ts';

const base = reportOf(started({ dryRun: true }), ...listed(candidate()), planMade(candidate()), finished);
const [pod] = base.pods as readonly [PodReport];

/** The report with this pod, its steps cleared like this, in so many copies. */
function planned(more: Partial<PodReport>, step: Partial<PodReport['lastResort'][number]> = {}): SweepReport {
  const containers = pod.containers.map((one) =>
    one.role === 'Sidecar' ? { ...one, steps: one.steps.map((each) => ({ ...each, ...step })) } : one,
  );
  return { ...base, pods: [{ ...pod, containers, ...more }] };
}

it('lists what the pod holds once, however many sidecars it has', () => {
  const { containers } = pod;
  const two = [...containers, ...containers.map((one) => ({ ...one, name: 'other' }))];
  const [head, first, second] = plannedLines(planned({ containers: two }), plain);
  expect(head).toMatch(/ SIDECAR +CPU +MEMORY +WOULD DO +POD THEN +JOB THEN$/);
  expect(first).toMatch(/ sidecar +250m +128Mi +signal TERM/);
  expect(second).toMatch(/ other +signal TERM/);
});

it('says once what might go wrong, and how much is reserved for how long', () => {
  const cost = { uncleanCost: { kind: 'AnotherRun' } } as const;
  const lines = plannedLines(planned(cost, {}), plain);
  expect(lines.slice(-2)).toEqual([
    'risk (1 sidecar): if it exits with a code other than 0, the pod fails, and its Job runs the finished work again',
    '1 pod stuck for up to 1h, with requests for 250m CPU and 128Mi of memory',
  ]);
  expect(plannedLines(planned(cost, { expectedExitCode: 137 }), plain).at(-2)).toContain(
    'it exits with 137, so the pod fails, and its Job runs',
  );
  expect(plannedLines(planned(cost, { expectedExitCode: 0 }), plain).join('\n')).not.toContain('risk');
  expect(plannedLines(planned({ uncleanCost: { kind: 'Nothing' } }), plain).join('\n')).not.toContain('risk');
});

it('says of how many pods nobody knows what they hold', () => {
  const { pods } = planned({});
  const none = pods.map((pod) => ({ ...pod, name: 'other', requests: { cpu: 0, memory: 0 } }));
  const lastOf = (all: typeof pods) => plannedLines({ ...planned({}), pods: all }, plain).at(-1);
  expect(lastOf([...pods, ...none])).toBe(
    '2 pods stuck for up to 1h, with requests for 250m CPU and 128Mi of memory (1 of them without any)',
  );
  expect(lastOf(none)).toBe('1 pod stuck for up to 1h, without requests for CPU or memory');
});

it('counts only those that something would be sent to', () => {
  expect(countPlanned(planned({}, {}))).toEqual({ pods: 1, sidecars: 1 });
  expect(countPlanned(planned({}, { blocked: 'KnownUnclean' }))).toEqual({ pods: 0, sidecars: 0 });
  expect(countPlanned({ ...base, pods: [] })).toEqual({ pods: 0, sidecars: 0 });
});
