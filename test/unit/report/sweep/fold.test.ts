import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import type { JobReaction } from '../../../../src/model/job.ts';
import type { Candidate } from '../../../../src/model/verdict.ts';
import type { Warning } from '../../../../src/model/warning.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { concludeUnread } from '../../../../src/plan/unsent.ts';
import { type SweepReport, sweepReport } from '../../../../src/report/schema.ts';
import { ReportFold } from '../../../../src/report/sweep/fold.ts';
import { sidecarsOf } from '../../../../src/report/sweep/planned.ts';
import { arbitraryPod } from '../../../builders/arbitrary-pod.ts';
import { warnings } from '../../../builders/kinds.ts';
import { attempt } from '../../../builders/plan.ts';
import { planOf } from '../../../builders/planned.ts';
import { container, exited, hour, nativeSidecar, now, podView, running } from '../../../builders/pod-view.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
import { plain, renderTable } from '../../../builders/rendered.ts';
import {
  candidateOf,
  endOf,
  finished,
  listed,
  planMade,
  podRef,
  reportOf,
  started,
  sweepOf,
} from '../../../builders/report.ts';

const doesTerm = 'run /bin/sh -c kill -15 1';
const warned = (warning: Warning): SweepEvent => ({ kind: 'Warned', warning });
const stop = (reason: 'Deadline' | 'Signal'): SweepEvent => ({ kind: 'Stopping', reason });

it('a stop after the sweep has finished, while Events are written, leaves nothing out', () => {
  expect(sweepOf([], stop('Signal')).run.stoppedEarly).toBe('Signal');
  expect(reportOf(started(), finished, stop('Signal')).run.stoppedEarly).toBeUndefined();
  const fault: SweepEvent = { kind: 'Stopping', reason: 'InternalError' };
  expect(reportOf(started(), finished, fault).run.stoppedEarly).toBe('InternalError');
});

const outcomesIn = ({ pods }: SweepReport) => pods.map(({ outcome }) => outcome);
const outcomesOfSidecars = ({ pods }: SweepReport) => pods.flatMap(sidecarsOf).map(({ outcome }) => outcome);

describe('a report has', () => {
  it('the run: start, duration, version and cluster', () => {
    const { run, cluster } = sweepOf([]);
    const { id, version, dryRun } = started().run;
    const [startedAt, finishedAt] = ['2026-11-21T04:00:00.000Z', '2026-11-21T04:00:04.000Z'];
    expect(run).toEqual({ id, version, startedAt, finishedAt, durationMs: 4_000, dryRun });
    expect(cluster).toEqual({ context: 'kind', server: 'https://127.0.0.1:6443' });
  });

  it('the server’s time, if known', () => {
    const asOf = (time: number | undefined) =>
      reportOf(started(), { kind: 'PlanMade', plan: { asOf: time, pods: [], warnings: [] } }).asOf;
    expect([asOf(now + hour), asOf(undefined)]).toEqual(['2026-11-21T05:00:00.000Z', undefined]);
  });

  it('each pod: its identity, containers and outcome', () => {
    const stuck = candidateOf(1, { nativeSidecars: [nativeSidecar('mesh')] });
    const because = { kind: 'Annotation', key: 'sidecar-sweeper.dev/sidecars' };
    const attempts = [{ method: 'Command', does: doesTerm, durationMs: 13, result: { kind: 'Accepted' } }];
    const ended = { outcome: { kind: 'Stopped', exitCode: 0 }, endedAt: '2026-11-21T04:00:01.000Z' };
    expect(sweepOf([stuck], endOf(stuck)).pods).toMatchObject([
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
          { role: 'Sidecar', name: 'sidecar', because, unfit: [], attempts, ...ended },
          { role: 'NativeSidecar', name: 'mesh', image: 'mesh:1' },
        ],
        outcome: { kind: 'Unsettled' },
      },
    ]);
  });

  it('the pods in order of name, not of their ends', () => {
    const pods = [3, 1, 2].map((number) => candidateOf(number));
    const names = sweepOf(pods, ...pods.map((pod) => endOf(pod))).pods.map(({ name }) => name);
    expect(names).toEqual(['pod-1', 'pod-2', 'pod-3']);
  });

  // biome-ignore format: one row a line
  it.each<readonly [string, readonly JobReaction[], readonly string[]]>([
    ['complete', [{ kind: 'Active' }, { kind: 'Complete' }], ['Complete', 'Complete']],
    ['failed', [{ kind: 'RunsAgain' }, { kind: 'Failed', reason: '' }, { kind: 'Active' }], ['Failed, JobFailed', 'Failed', 'Failed, JobFailed']],
    ['run again, if it was complete', [{ kind: 'RunsAgain' }, { kind: 'Complete' }], ['RunsAgain, RunsAgain', 'Complete']],
  ])('a Job as %s for all of its pods, although those that ended first were read before', (_title, jobs, expected) => {
    const pods = jobs.map((_, index) => candidateOf(index));
    const ends = jobs.map((job, index): SweepEvent => {
      const ended = endOf(pods[index] as Candidate);
      if (ended.kind !== 'PodConcluded') throw new Error('not the end of a pod');
      const outcome = { kind: 'Ended', phase: 'Succeeded', job } as const;
      const harm = { kind: 'RunsAgain', permitted: true, job: undefined, ...(index === 2 && { expected: true as const }) } as const;
      return { ...ended, conclusion: { ...ended.conclusion, outcome, ...((job.kind === 'RunsAgain' || index === 2) && { harm }) } };
    });
    const told = sweepOf(pods, ...ends).pods.map((pod) => ['job' in pod.outcome && pod.outcome.job.kind, pod.harm?.kind, pod.harm?.expected]);
    expect(told.map((words) => words.filter(Boolean).join(', '))).toEqual(expected);
  });

  it('the failed reads, each warning only once, and the first reason to stop', () => {
    const problem = { kind: 'Forbidden', message: 'pods is forbidden' } as const;
    const [warning, other] = [{ kind: 'ListInconsistent' } as const, warnings.JobHarmed];
    const failed = (namespace?: string): SweepEvent => ({ kind: 'ReadFailed', namespace, problem });
    const told = [warning, other, warning].map(warned);
    const report = sweepOf([], failed('secret'), failed(), ...told, stop('Deadline'), stop('Signal'));
    expect(report.unread).toMatchObject([
      {
        namespace: 'secret',
        message: expect.stringMatching(/^cannot list pods in namespace secret: pods is f/),
      },
      { message: expect.stringMatching(/^cannot list pods in all namespaces: pods is forbidden/) },
    ]);
    expect(report.warnings).toEqual([warning, other]);
    expect(report.run.stoppedEarly).toBe('Deadline');
  });

  it('nothing before the sweep has started', () => {
    expect(() => new ReportFold().report()).toThrow('before the sweep has started');
  });
});

describe('the totals', () => {
  it('count every listed pod once: left alone, by the first of its reasons, undecided or stuck', () => {
    const young = podView({ containers: [container('main', exited(0, now)), container('sidecar', running)] });
    const odd = podView({ statusProblems: ['container main has no status'] });
    const busy = [container('a', running), container('b', running), container('sidecar', running)];
    const deleted = podView({ deleting: true, containers: busy });
    const pods = [podView(), young, young, odd, deleted];
    const malformed = [{ namespace: 'demo', name: 'broken', problem: 'no restartPolicy' }];
    const verdicts = listed(...pods.map((pod) => judge(pod, policy(), now, noFacts)));
    const page: SweepEvent = { kind: 'PageListed', pods: 0, atWork: [], malformed, otherShards: 0 };
    const { totals, undecided } = reportOf(started(), ...verdicts, page, planMade(), finished);
    const excludedBecause = { TooYoung: 2, BeingDeleted: 1 };
    expect(totals).toMatchObject({ listed: 6, excluded: 3, excludedBecause, undecided: 2, candidates: 1 });
    const problems = undecided.map(({ problem }) => problem);
    expect(problems).toEqual(['container main has no status', 'no restartPolicy']);
  });

  it('count pods and sidecars by their outcome', () => {
    const [good, bad] = [candidateOf(1), candidateOf(2)];
    const { totals } = sweepOf([good, bad], endOf(good), endOf(bad, { kind: 'Running' }));
    expect(totals.sidecars).toEqual({ StillRunning: 1, Stopped: 1 });
    expect(totals.pods).toEqual({ Stuck: 1, Unsettled: 1 });
  });
});

it('each warning is told once, and a hundred of its kind; the others are counted', () => {
  const about = (number: number) => warned({ ...warnings.NodesUnreadable, message: `no ${number}` });
  const flood = Array.from({ length: 1_000 }, (_, number) => about(number));
  const report = sweepOf([], ...flood, about(0), warned(warnings.Braked));
  expect(report.warnings).toHaveLength(101);
  expect(report.warnings).toContainEqual(warnings.Braked);
  expect(report.totals.leftOut).toEqual({ warnings: 900 });
});

it('a dry run is marked as one, and has the expected result for every sidecar', () => {
  const pods = [candidateOf(1), candidateOf(2, { processNamespace: 'Node' })];
  const report = reportOf(started({ dryRun: true }), ...listed(...pods), planMade(...pods), finished);
  expect(outcomesOfSidecars(report)).toEqual([
    { kind: 'NotAttempted', reason: 'DryRun' },
    { kind: 'Skipped', reason: { kind: 'NoWay' } },
  ]);
  expect(report.run.dryRun).toBe(true);
  expect(sweepReport.safeParse(report).error).toBeUndefined();
});

describe('a sweep that stopped early', () => {
  const [one, other] = [candidateOf(1), candidateOf(2)];

  it('lists pods that were not attempted, with the reason', () => {
    const expected = [{ kind: 'Unsettled' }, { kind: 'NotAttempted', reason: 'Deadline' }];
    expect(outcomesIn(sweepOf([one, other], endOf(one), stop('Deadline')))).toEqual(expected);
  });

  it.each([false, true])('of the pods that a cap leaves, says by which cap (dry run: %s)', (dryRun) => {
    const conclusion = concludeUnread(planOf(one.pod), 'OverMaxPods');
    const concluded = { kind: 'PodConcluded', conclusion } as const;
    const [begun, ...events] = [started({ dryRun }), ...listed(one, other), planMade(one, other)] as const;
    const report = reportOf(begun, ...events, concluded, finished);
    expect(report.pods[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'OverMaxPods' });
    expect(report.totals.leftForNext).toEqual({ OverMaxPods: 1 });
    const table = renderTable(report, plain);
    expect(table).toMatch(/^1 (?:more )?pod is left for the next sweep \(--max-pods\)\.$/m);
  });

  it('because its plan was for too many pods, says so of each', () => {
    const braked = [{ kind: 'NotAttempted', reason: 'Braked' }];
    expect(outcomesIn(sweepOf([one], warned(warnings.Braked)))).toEqual(braked);
  });

  it('lists candidates even without a plan', () => {
    const report = reportOf(started(), ...listed(one), stop('Signal'));
    expect(outcomesOfSidecars(report)).toEqual([{ kind: 'NotAttempted', reason: 'Signal' }]);
    expect(sweepReport.safeParse(report).error).toBeUndefined();
  });

  it('reports a sidecar as Unproven if it got a step but was not read again, with the attempt', () => {
    const sent = { kind: 'StepSent', pod: podRef(1), container: 'sidecar', attempt: attempt() } as const;
    const [pod] = reportOf(started(), ...listed(one), planMade(one), sent).pods;
    expect(pod).toMatchObject({ outcome: { kind: 'Unproven' } });
    const outcome = { kind: 'Unproven' };
    expect(pod && sidecarsOf(pod)).toMatchObject([{ attempts: [{ does: doesTerm }], outcome }]);
  });

  it('reports every planned sidecar as Unproven if the sweep did not end by itself', () => {
    const cut: SweepEvent = { kind: 'SweepFinished', at: now, isCut: true };
    const kindsOf = (...events: readonly SweepEvent[]) =>
      outcomesIn(reportOf(started(), ...listed(one), ...events, cut)).map(({ kind }) => kind);
    expect(kindsOf(planMade(one))).toEqual(['Unproven']);
    expect(kindsOf()).toEqual(['NotAttempted']);
    expect(kindsOf(planMade(one), warned(warnings.Braked))).toEqual(['NotAttempted']);
  });
});

it('with any events, every sidecar of every candidate has one outcome, and the totals add up', () => {
  /** Pods, some of them concluded before the sweep ends or stops early. */
  const story = fc.record({
    pods: fc.array(arbitraryPod, { maxLength: 8 }),
    concludedPods: fc.nat(8),
    stopped: fc.constantFrom(undefined, 'Deadline' as const, 'Signal' as const),
    dryRun: fc.boolean(),
    planned: fc.boolean(),
  });
  const sum = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((total, count) => total + count, 0);
  fc.assert(
    fc.property(story, ({ pods, concludedPods, stopped, dryRun, planned }) => {
      const verdicts = pods.map((pod, index) =>
        judge({ ...pod, ref: podRef(index) }, policy({ minAge: 0 }), now + hour, noFacts),
      );
      const candidates = verdicts.flatMap((verdict) => (verdict.kind === 'Candidate' ? [verdict] : []));
      const report = reportOf(
        started({ dryRun }),
        ...listed(...verdicts),
        ...(planned ? [planMade(...candidates)] : []),
        ...(planned && !dryRun ? candidates.slice(0, concludedPods).map((one) => endOf(one)) : []),
        ...(stopped ? [stop(stopped)] : []),
        finished,
      );
      const expected = candidates.flatMap(({ pod, sidecars }) =>
        sidecars.map((sidecar) => `${pod.ref.name}/${sidecar.container.name}`),
      );
      const found = report.pods.flatMap((pod) => sidecarsOf(pod).map(({ name }) => `${pod.name}/${name}`));
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
