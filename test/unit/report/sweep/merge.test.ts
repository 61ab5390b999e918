import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import { type RunInfo, type Shard, takeShard } from '../../../../src/model/scope.ts';
import { exitCodeMeanings, exitCodeOf, exitCodes } from '../../../../src/report/exit-code.ts';
import { type SweepReport, sweepReport } from '../../../../src/report/schema.ts';
import { mergeReports } from '../../../../src/report/sweep/merge.ts';
import { describeWarning } from '../../../../src/report/texts/warnings.ts';
import { arbitraryPod } from '../../../builders/arbitrary-pod.ts';
import { hour, now, podView } from '../../../builders/pod-view.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
import { endOf, finished, planMade, podRef, reportOf, started } from '../../../builders/report.ts';

const malformed = [{ namespace: 'demo', name: 'odd', problem: 'no containers' }];

/** The report of a sweep, or one shard, of these pods, in which all sidecars end. */
function sweepOf(pods: readonly PodView[], shard?: Shard, run: Partial<RunInfo> = {}): SweepReport {
  const own = takeShard({ pods, malformed, atWork: [] }, shard);
  const scope = { namespaces: [], labelSelector: undefined, shard };
  const verdicts = own.pods.map((pod) => judge(pod, policy({ minAge: 0 }), now + hour, noFacts));
  const candidates = verdicts.flatMap((verdict) => (verdict.kind === 'Candidate' ? [verdict] : []));
  const { malformed: unreadable, otherShards } = own;
  return reportOf(
    { ...started(run), policy: policy({ scope }) },
    { kind: 'PageListed', pods: own.pods.length, atWork: [], malformed: unreadable, otherShards },
    ...verdicts.map((verdict) => ({ kind: 'PodJudged', verdict }) as const),
    planMade(...candidates),
    ...candidates.map((candidate) => endOf(candidate)),
    finished,
  );
}

function shardsOf(pods: readonly PodView[], of: number, run: Partial<RunInfo> = {}): SweepReport[] {
  return Array.from({ length: of }, (_, index) => sweepOf(pods, { index, of }, run));
}

const some: readonly PodView[] = Array.from({ length: 9 }, (_, number) => podView({ ref: podRef(number) }));
const [a, b] = shardsOf(some, 2) as [SweepReport, SweepReport];

describe('the reports of all shards', () => {
  it('merge in any order into the report of a single sweep', () => {
    const pods = fc
      .array(arbitraryPod, { maxLength: 12 })
      .map((list) => list.map((pod, number) => ({ ...pod, ref: podRef(number) })));
    const shards = fc
      .integer({ min: 1, max: 7 })
      .chain((of) => fc.shuffledSubarray([...Array(of).keys()], { minLength: of }));
    fc.assert(
      fc.property(pods, shards, (pods, order) => {
        const whole = sweepOf(pods);
        const merged = mergeReports(order.map((index) => sweepOf(pods, { index, of: order.length })));
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
    const [startedAt, finishedAt] = ['2026-11-21T03:59:00.000Z', '2026-11-21T04:01:30.000Z'];
    const early = { ...a, run: { ...a.run, id: 'a', startedAt } };
    const late = { ...b, run: { ...b.run, id: 'b', finishedAt } };
    const run = { id: 'b,a', startedAt, finishedAt, durationMs: 150_000 };
    expect(mergeReports([late, early]).run).toMatchObject(run);
  });

  it('say that one was braked, and nothing of the others, which may have sent something', () => {
    const warning = { kind: 'Braked', pods: 40, listed: 50, limit: 'brakePods', most: 20 } as const;
    const merged = mergeReports([a, { ...b, warnings: [warning] }]);
    expect(exitCodeOf(merged)).toBe(exitCodes.braked);
    expect([exitCodeMeanings.braked, describeWarning(warning)]).toEqual([
      'a plan was for too many pods, so none of it was sent (brakePods)',
      'a plan for 40 of 50 pods listed is not sent: the limit is 20; if the plan is right, set brakePods: 40 in the policy',
    ]);
  });

  it('have each failed read and warning only once, and stopped early if one of them did', () => {
    const unread = [{ problem: 'Forbidden', message: 'no' }];
    const warnings = [{ kind: 'ListInconsistent' } as const];
    const told = { unread, warnings };
    const stopped = { ...b, ...told, run: { ...b.run, stoppedEarly: 'Deadline' } } as const;
    const merged = mergeReports([{ ...a, ...told }, stopped]);
    expect(merged).toMatchObject({ unread, warnings, run: { stoppedEarly: 'Deadline' } });
  });

  it('have met an internal error if one of them did, whatever stopped the others', () => {
    const stop = (shard: SweepReport, stoppedEarly: 'Deadline' | 'InternalError') => {
      return { ...shard, run: { ...shard.run, stoppedEarly } };
    };
    const merged = mergeReports([stop(a, 'Deadline'), stop(b, 'InternalError')]);
    expect(exitCodeOf(merged)).toBe(1);
  });
});

it('a missing shard counts as unread', () => {
  const merged = mergeReports(shardsOf(some, 3).filter((_, index) => index !== 1));
  expect(merged.unread).toEqual([{ problem: 'ShardMissing', message: 'the report of shard 1/3 is missing' }]);
  expect(exitCodeOf(merged)).toBe(3);
});

it.each([1, 2])('records that are missing from the logs of %i shards count as unread', (of) => {
  const reports = of === 1 ? [sweepOf(some)] : shardsOf(some, of);
  const merged = mergeReports(reports, 3);
  expect(merged.unread).toEqual([
    { problem: 'RecordsMissing', message: 'the log lacks 3 records of the sweep: take all of it' },
  ]);
  expect(exitCodeOf(merged)).toBe(3);
});

it('the merged report has the uid of the cluster if any shard could read it', () => {
  expect(mergeReports([a, { ...b, cluster: { ...b.cluster, uid: 'u' } }]).cluster.uid).toBe('u');
});

it('the report of a whole sweep, as rebuilt from its log, needs no merging and stays as it is', () => {
  const whole = sweepOf(some, undefined, { dryRun: true });
  expect(mergeReports([whole])).toEqual(whole);
});

// biome-ignore format: one row a line
it.each<readonly [why: string, reports: readonly SweepReport[], says: string]>([
  ['if there are none', [], 'no reports'],
  ['if one is of a whole sweep', [a, sweepOf(some)], 'covers a whole sweep'],
  ['if there are two of the same shard', [a, b, a], 'two reports of shard 0/2'],
  ['if they have different numbers of shards', [a, ...shardsOf(some, 3).slice(1)], 'another number of shards'],
  ['if they are of two clusters', [a, { ...b, cluster: { context: 'x', server: 'https://x' } }], 'another cluster'],
  [
    'if they are of two clusters that have one address',
    [a, b].map((one, index) => ({ ...one, cluster: { ...one.cluster, uid: `uid-${index}` } })),
    'another cluster',
  ],
  ['if they have different scopes', [a, { ...b, scope: { ...b.scope, namespaces: ['x'] } }], 'another scope'],
  ['if one is a dry run', [a, { ...b, run: { ...b.run, dryRun: true } }], 'another --dry-run'],
])('reports are not merged %s', (_why, reports, says) => {
  expect(() => mergeReports(reports)).toThrow(says);
});

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  return sorted(left).join() === sorted(right).join();
}
