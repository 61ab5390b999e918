import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { Candidate } from '../../../../src/model/verdict.ts';
import type { Warning } from '../../../../src/model/warning.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { concludeLeft } from '../../../../src/plan/unsent.ts';
import { type SweepReport, sweepReport } from '../../../../src/report/schema.ts';
import { ReportFold } from '../../../../src/report/sweep/fold.ts';
import { warnings } from '../../../builders/kinds.ts';
import { attempt, candidate } from '../../../builders/plan.ts';
import { sweepPlanOf } from '../../../builders/planned.ts';
import { container, exited, hour, nativeSidecar, now, podView, running } from '../../../builders/pod-view.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
import { renderTable } from '../../../builders/rendered.ts';
import { endOf, finished, listed, planMade, podRef, reportOf, started } from '../../../builders/report.ts';
import { plain } from '../../../builders/style.ts';

function stuckPod(number: number, more: Partial<PodView> = {}): Candidate {
  return candidate(podView({ ref: podRef(number), ...more }));
}

const doesTerm = 'run /bin/sh -c kill -15 1';

function sidecarsOf(report: SweepReport) {
  return report.pods.flatMap(({ containers }) =>
    containers.flatMap((one) => (one.role === 'Sidecar' ? [one] : [])),
  );
}

describe('a report has', () => {
  it('the run: start, duration, version and cluster', () => {
    const report = reportOf(started(), ...listed(), planMade(), finished);
    expect(report.run).toEqual({
      id: '0d4e5cf0-3a5e-4b0e-9c53-4f6b6dcb8a37',
      version: '1.2.3',
      startedAt: '2026-11-21T04:00:00.000Z',
      finishedAt: '2026-11-21T04:00:04.000Z',
      durationMs: 4_000,
      asOf: '2026-11-21T04:00:00.000Z',
      dryRun: false,
    });
    expect(report.cluster).toEqual({ context: 'kind', server: 'https://127.0.0.1:6443' });
  });

  it('the server’s time, if known', () => {
    const asOf = (time: number | undefined) =>
      reportOf(started(), { kind: 'PlanMade', plan: { asOf: time, pods: [], warnings: [] } }, finished).run
        .asOf;
    expect(asOf(now + hour)).toBe('2026-11-21T05:00:00.000Z');
    expect(asOf(undefined)).toBeUndefined();
  });

  it('each pod: its identity, containers and outcome', () => {
    const stuck = stuckPod(1, { nativeSidecars: [nativeSidecar('mesh')] });
    const report = reportOf(started(), ...listed(stuck), planMade(stuck), endOf(stuck), finished);
    expect(report.pods).toMatchObject([
      {
        ...podRef(1),
        node: 'node1',
        owner: { kind: 'Job', name: 'work' },
        restartPolicy: 'Never',
        uncleanCost: { kind: 'AnotherRun' },
        prediction: { phase: 'Unknown', job: 'Unknown' },
        mainsEndedAt: '2026-11-21T03:00:00.000Z',
        containers: [
          { role: 'Main', name: 'main', exitCode: 0, endedAt: '2026-11-21T03:00:00.000Z' },
          {
            role: 'Sidecar',
            name: 'sidecar',
            because: { kind: 'Annotation', key: 'sidecar-sweeper.dev/sidecars' },
            unfit: [],
            attempts: [{ method: 'Command', does: doesTerm, durationMs: 13, result: { kind: 'Accepted' } }],
            outcome: { kind: 'Stopped', exitCode: 0 },
            endedAt: '2026-11-21T04:00:01.000Z',
          },
          { role: 'NativeSidecar', name: 'mesh', image: 'mesh:1' },
        ],
        outcome: { kind: 'Unsettled' },
      },
    ]);
  });

  it('the pods in order of name, not of their ends', () => {
    const pods = [3, 1, 2].map((number) => stuckPod(number));
    const report = reportOf(
      started(),
      ...listed(...pods),
      planMade(...pods),
      ...pods.map((pod) => endOf(pod)),
      finished,
    );
    expect(report.pods.map(({ name }) => name)).toEqual(['pod-1', 'pod-2', 'pod-3']);
  });

  it('the failed reads', () => {
    const problem = { kind: 'Forbidden', message: 'pods is forbidden' } as const;
    const report = reportOf(
      started(),
      { kind: 'ReadFailed', namespace: 'secret', problem },
      { kind: 'ReadFailed', namespace: undefined, problem },
      finished,
    );
    expect(report.unread).toEqual([
      { namespace: 'secret', problem: 'Forbidden', message: 'pods is forbidden' },
      { problem: 'Forbidden', message: 'pods is forbidden' },
    ]);
  });

  it('each warning only once', () => {
    const warning = { kind: 'ListInconsistent' } as const;
    const other: Warning = {
      kind: 'JobHarmed',
      namespace: 'demo',
      name: 'pod-1',
      job: 'work',
      harm: 'RunsAgain',
    };
    const heard = [warning, other, warning].map((one): SweepEvent => ({ kind: 'Warned', warning: one }));
    expect(reportOf(started(), ...heard, finished).warnings).toEqual([warning, other]);
  });

  it('the first reason to stop', () => {
    const stop = (reason: 'Deadline' | 'Signal'): SweepEvent => ({ kind: 'Stopping', reason });
    const report = reportOf(started(), stop('Deadline'), stop('Signal'), finished);
    expect(report.run.stoppedEarly).toBe('Deadline');
  });

  it('nothing before the sweep has started', () => {
    expect(() => new ReportFold().report()).toThrow('before the sweep has started');
  });
});

describe('the totals', () => {
  it('count every listed pod once: left alone, undecided or stuck', () => {
    const young = podView({ containers: [container('main', exited(0, now)), container('sidecar', running)] });
    const odd = podView({ statusProblems: ['container main has no status'] });
    const verdicts = [podView(), young, young, odd].map((pod) => judge(pod, policy(), now, noFacts));
    const malformed = [{ namespace: 'demo', name: 'broken', problem: 'no restartPolicy' }];
    const report = reportOf(
      started(),
      ...listed(...verdicts),
      { kind: 'PageListed', pods: 0, atWork: [], malformed, otherShards: 0 },
      planMade(),
      finished,
    );
    expect(report.totals).toMatchObject({
      listed: 5,
      excluded: 2,
      excludedBecause: { TooYoung: 2 },
      undecided: 2,
      candidates: 1,
    });
    expect(report.undecided.map(({ problem }) => problem)).toEqual([
      'container main has no status',
      'no restartPolicy',
    ]);
  });

  it('count a pod by the first of its reasons', () => {
    const mains = [container('a', running), container('b', running)];
    const pod = podView({ deleting: true, containers: [...mains, container('sidecar', running)] });
    const { totals } = reportOf(
      started(),
      ...listed(judge(pod, policy(), now, noFacts)),
      planMade(),
      finished,
    );
    expect(totals.excluded).toBe(1);
    expect(totals.excludedBecause).toEqual({ BeingDeleted: 1 });
  });

  it('count pods and sidecars by their outcome', () => {
    const [good, bad] = [stuckPod(1), stuckPod(2)];
    const report = reportOf(
      started(),
      ...listed(good, bad),
      planMade(good, bad),
      endOf(good),
      endOf(bad, { kind: 'Running' }),
      finished,
    );
    expect(report.totals.sidecars).toEqual({ StillRunning: 1, Stopped: 1 });
    expect(report.totals.pods).toEqual({ Stuck: 1, Unsettled: 1 });
  });
});

describe('what one tenant’s annotations add to the report is bounded and counted:', () => {
  const remarked = (number: number, namespace: string) => {
    const names = Array.from({ length: 250 }, (_, index) => `nobody-${number}-${index}`);
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar', 'nrmitchi.com/sidecars': names.join() };
    return stuckPod(number, { annotations, ref: { ...podRef(number), namespace } });
  };

  it('remarks, of one pod, of one namespace and of all', () => {
    const pods = [
      ...Array.from({ length: 200 }, (_, number) => remarked(number, 'hostile')),
      remarked(200, 'other'),
    ];
    const report = reportOf(started(), ...listed(...pods), planMade(), finished);
    const remarks = report.pods.flatMap((pod) => pod.remarks);
    expect(JSON.stringify(remarks).length).toBeLessThan(50_000);
    expect(report.pods.filter(({ namespace }) => namespace === 'other')[0]?.remarks).toHaveLength(17);
    expect(remarks).toHaveLength(16 * 17);
    expect(report.totals.leftOut).toEqual({ remarks: 185 * 17, warnings: 0 });
    expect(report.totals.remarks).toEqual({ LeftOut: 201, UnknownContainer: 201 });
  });

  it('warnings, each kind by itself, and each once', () => {
    const about = (number: number): SweepEvent => ({
      kind: 'Warned',
      warning: { ...warnings.NoopMayNotStart, program: `/bin/${number}` },
    });
    const flood = Array.from({ length: 1_000 }, (_, number) => about(number));
    const braked: SweepEvent = { kind: 'Warned', warning: warnings.Braked };
    const report = reportOf(started(), ...listed(), planMade(), ...flood, about(0), braked, finished);
    expect(report.warnings).toHaveLength(101);
    expect(report.warnings).toContainEqual(warnings.Braked);
    expect(report.totals.leftOut).toEqual({ remarks: 0, warnings: 900 });
  });
});

describe('a dry run', () => {
  const refused = stuckPod(2, { processNamespace: 'Node' });
  const report = reportOf(
    started({ dryRun: true }),
    ...listed(stuckPod(1), refused),
    planMade(stuckPod(1), refused),
    finished,
  );

  it('has the expected result for every sidecar', () => {
    expect(sidecarsOf(report).map(({ outcome }) => outcome)).toEqual([
      { kind: 'NotAttempted', reason: 'DryRun' },
      { kind: 'Skipped', reason: { kind: 'NoWay' } },
    ]);
  });

  it('is marked as one', () => {
    expect(report.run.dryRun).toBe(true);
    expect(sweepReport.safeParse(report).error).toBeUndefined();
  });
});

describe('a sweep that stopped early', () => {
  it('lists pods that were not attempted, with the reason', () => {
    const [done, open] = [stuckPod(1), stuckPod(2)];
    const report = reportOf(
      started(),
      ...listed(done, open),
      planMade(done, open),
      endOf(done),
      { kind: 'Stopping', reason: 'Deadline' },
      finished,
    );
    expect(report.pods.map(({ outcome }) => outcome)).toEqual([
      { kind: 'Unsettled' },
      { kind: 'NotAttempted', reason: 'Deadline' },
    ]);
  });

  it('of the pods that a cap leaves, says by which cap, in a dry run as well', () => {
    const pod = stuckPod(1);
    const [plan] = sweepPlanOf([pod]).pods;
    if (!plan) expect.fail('no plan');
    const conclusion = concludeLeft({ plan, reason: 'OverMaxPods' });
    for (const dryRun of [false, true]) {
      const report = reportOf(
        started({ dryRun }),
        ...listed(pod, stuckPod(2)),
        planMade(pod, stuckPod(2)),
        { kind: 'PodConcluded', conclusion },
        finished,
      );
      expect(report.pods[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'OverMaxPods' });
      expect(report.totals.leftForNext).toEqual({ OverMaxPods: 1 });
      const table = renderTable(report, plain);
      expect(table).toMatch(/^1 (?:more )?pod is left for the next run \(--max-pods\)\.$/m);
    }
  });

  it('because its plan was for too many pods, says so of each', () => {
    const braked = { kind: 'Warned', warning: warnings.Braked } as const;
    const report = reportOf(started(), ...listed(stuckPod(1)), planMade(stuckPod(1)), braked, finished);
    expect(report.pods.map(({ outcome }) => outcome)).toEqual([{ kind: 'NotAttempted', reason: 'Braked' }]);
  });

  it('lists candidates even without a plan', () => {
    const report = reportOf(started(), ...listed(stuckPod(1)), { kind: 'Stopping', reason: 'Signal' });
    expect(sidecarsOf(report)[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'Signal' });
    expect(sweepReport.safeParse(report).error).toBeUndefined();
  });

  it('reports a sidecar as Unproven if it got a step but was not read again, with the attempt', () => {
    const stuck = stuckPod(1);
    const report = reportOf(started(), ...listed(stuck), planMade(stuck), {
      kind: 'StepSent',
      pod: podRef(1),
      container: 'sidecar',
      attempt: attempt(),
    });
    expect(sidecarsOf(report)).toMatchObject([
      { attempts: [{ does: doesTerm }], outcome: { kind: 'Unproven' } },
    ]);
    expect(report.pods[0]?.outcome.kind).toBe('Unproven');
  });

  it('reports every planned sidecar as Unproven if the sweep did not end by itself', () => {
    const cut: SweepEvent = { kind: 'SweepFinished', at: now, isCut: true };
    const plan = planMade(stuckPod(1));
    expect(reportOf(started(), ...listed(stuckPod(1)), plan, cut).pods[0]?.outcome.kind).toBe('Unproven');
    const unplanned = reportOf(started(), ...listed(stuckPod(1)), cut);
    expect(unplanned.pods[0]?.outcome.kind).toBe('NotAttempted');
    const braked = { kind: 'Warned', warning: warnings.Braked } as const;
    const unsent = reportOf(started(), ...listed(stuckPod(1)), plan, braked, cut);
    expect(unsent.pods[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'Braked' });
  });
});
