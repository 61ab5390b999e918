import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import { takeShard } from '../../../src/judge/shard.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import { mergeReports } from '../../../src/report/merge.ts';
import { type SweepReport, sweepReport } from '../../../src/report/schema.ts';
import type { PodView, RunInfo, Shard } from '../../../src/vocabulary.ts';
import { arbitraryPod } from '../../builders/arbitrary-pod.ts';
import { hour, now, podView } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { endOf, finished, planMade, podRef, reportOf, started } from '../../builders/report.ts';

const malformed = [{ namespace: 'demo', name: 'odd', problem: 'no containers' }];

/** The report of a sweep of these pods, or of one shard of it, in which every candidate's sidecars end. */
function sweepOf(pods: readonly PodView[], shard?: Shard, run: Partial<RunInfo> = {}): SweepReport {
  const own = takeShard({ pods, malformed }, shard);
  const scope = { namespaces: [], labelSelector: undefined, shard };
  const verdicts = own.pods.map((pod) => judge(pod, policy({ minAge: 0 }), now + hour, noFacts));
  const candidates = verdicts.flatMap((verdict) => (verdict.kind === 'Candidate' ? [verdict] : []));
  return reportOf(
    { ...started(run), policy: policy({ scope }) },
    { kind: 'PageListed', pods: own.pods.length, malformed: own.malformed, otherShards: own.otherShards },
    ...verdicts.map((verdict) => ({ kind: 'PodJudged', verdict }) as const),
    planMade(...candidates),
    ...candidates.map((candidate) => endOf(candidate)),
    finished,
  );
}

function shardsOf(pods: readonly PodView[], of: number, run: Partial<RunInfo> = {}): SweepReport[] {
  return Array.from({ length: of }, (_, index) => sweepOf(pods, { index, of }, run));
}

function merge(reports: readonly SweepReport[]): SweepReport {
  const merged = mergeReports(reports);
  if (merged.kind === 'Apart') expect.fail(merged.problem);
  return merged.report;
}

const some: readonly PodView[] = Array.from({ length: 9 }, (_, number) => podView({ ref: podRef(number) }));

describe('the reports of all shards', () => {
  it('make the report that one sweep would have made, in whatever order they come', () => {
    const pods = fc
      .array(arbitraryPod, { maxLength: 12 })
      .map((list) => list.map((pod, number) => ({ ...pod, ref: podRef(number) })));
    const shards = fc.integer({ min: 1, max: 7 }).chain((of) =>
      fc.shuffledSubarray(
        Array.from({ length: of }, (_, index) => index),
        { minLength: of },
      ),
    );
    fc.assert(
      fc.property(pods, shards, (pods, order) => {
        const whole = sweepOf(pods);
        const merged = merge(order.map((index) => sweepOf(pods, { index, of: order.length })));
        expect({ ...merged, run: whole.run }).toEqual({
          ...whole,
          pods: expect.toSatisfy((list) => sameItems(list, whole.pods)),
          undecided: expect.toSatisfy((list) => sameItems(list, whole.undecided)),
        });
        expect(exitCodeOf(merged)).toBe(exitCodeOf(whole));
        expect(sweepReport.safeParse(merged).error).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  it('span the time from the first start to the last end', () => {
    const [a, b] = shardsOf(some, 2);
    if (!a || !b) expect.fail();
    const early = { ...a.run, id: 'a', startedAt: '2026-11-21T03:59:00.000Z' };
    const late = { ...b.run, id: 'b', finishedAt: '2026-11-21T04:01:30.000Z' };
    expect(
      merge([
        { ...b, run: late },
        { ...a, run: early },
      ]).run,
    ).toMatchObject({
      id: 'b,a',
      startedAt: '2026-11-21T03:59:00.000Z',
      finishedAt: '2026-11-21T04:01:30.000Z',
      durationMs: 150_000,
    });
  });

  it('tell once what all of them could not read or warn of, and stop early when one did', () => {
    const unread = [{ problem: 'Forbidden', message: 'no' }];
    const warnings = [{ kind: 'ListInconsistent' } as const];
    const [a, b] = shardsOf(some, 2).map((report) => ({ ...report, unread, warnings }));
    if (!a || !b) expect.fail();
    const merged = merge([a, { ...b, run: { ...b.run, stoppedEarly: 'Deadline' } }]);
    expect(merged).toMatchObject({ unread, warnings, run: { stoppedEarly: 'Deadline' } });
  });
});

it('a shard whose report is missing is a part of the scope that nobody read', () => {
  const [a, , c] = shardsOf(some, 3);
  if (!a || !c) expect.fail();
  const merged = merge([c, a]);
  expect(merged.unread).toEqual([{ problem: 'ShardMissing', message: 'the report of shard 1/3 is missing' }]);
  expect(exitCodeOf(merged)).toBe(3);
});

describe('reports are not merged', () => {
  const [a, b] = shardsOf(some, 2);
  if (!a || !b) throw new Error('there are two');
  it.each<readonly [why: string, reports: readonly SweepReport[], says: string]>([
    ['when there are none', [], 'no reports'],
    ['when one is of a whole sweep', [a, sweepOf(some)], 'of a whole sweep'],
    ['when a shard is there twice', [a, b, a], 'two reports of shard 0/2'],
    ['when they are of another number of shards', [a, ...shardsOf(some, 3).slice(1)], 'not of 2 shards'],
    [
      'when they are of two clusters',
      [a, { ...b, cluster: { context: 'x', server: 'https://x' } }],
      'https://x',
    ],
    ['when they are of two scopes', [a, { ...b, scope: { ...b.scope, namespaces: ['x'] } }], 'another scope'],
    ['when one is a dry run', [a, { ...b, run: { ...b.run, dryRun: true } }], 'dry run'],
  ])('%s', (_why, reports, says) => {
    expect(mergeReports(reports)).toEqual({ kind: 'Apart', problem: expect.stringContaining(says) });
  });
});

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  return sorted(left).join() === sorted(right).join();
}
