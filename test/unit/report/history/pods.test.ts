import { describe, expect, it } from 'vitest';
import type { JobReaction } from '../../../../src/model/job.ts';
import type { AttemptResult } from '../../../../src/model/outcome.ts';
import { historyOf } from '../../../../src/report/history/history.ts';
import { endedBySweep, originOf } from '../../../../src/report/history/pods.ts';
import type { PodReport } from '../../../../src/report/schema.ts';
import { attemptResults } from '../../../builders/plan.ts';
import { hour, now } from '../../../builders/pod-view.ts';
import { attemptBy, stuckPod, sweepAt } from '../../../builders/sweeps.ts';

const due = Math.floor(now / 60_000) - 5;

it.each<readonly [owner: string | undefined, pod: string, origin: string]>([
  [`Job/nightly-${due}`, 'x', 'CronJob/nightly'],
  [`Job/nightly-2-${due}`, 'x', 'CronJob/nightly-2'],
  ['Job/import', 'x', 'Job/import'],
  // As minutes since 1970, these would be in the years 2008 and 2160.
  ['Job/import-20261121', 'x', 'Job/import-*'],
  ['Job/import-99999999', 'x', 'Job/import-*'],
  ['Workflow/nightly-1795233600', 'x', 'Workflow/nightly-*'],
  ['Workflow/etl-x7k2p', 'x', 'Workflow/etl-*'],
  ['Job/part-7', 'x', 'Job/part-7'],
  ['Job/load-data', 'x', 'Job/load-data'],
  ['Job/load-users', 'x', 'Job/load-users'],
  [undefined, 'dag-load-4f8k2xq1', 'Pod/dag-load-*'],
  [undefined, 'once', 'Pod/once'],
])('the origin of a pod with owner %s and name %s is %s', (owner, name, origin) => {
  const [kind = '', own = ''] = owner?.split('/') ?? [];
  const found = originOf({
    name,
    owner: owner === undefined ? undefined : { kind, name: own },
    mainsEndedAt: now,
  });
  expect(`${found.kind}/${found.name}`).toBe(origin);
});

const { Accepted, Blocked, Refused } = attemptResults;
const replaced: Partial<PodReport> = { outcome: { kind: 'Replaced', uid: 'other' } };

function gone(
  attempts: readonly (readonly [method: string, result: AttemptResult])[],
  job: JobReaction = { kind: 'NoJob' },
  more: Partial<PodReport> = {},
): PodReport {
  const pod = stuckPod({
    name: 'a',
    outcome: { kind: 'Gone', job },
    sidecarOutcome: { kind: 'Gone' },
    attempts: attempts.map(([method, result]) => attemptBy(method, result)),
  });
  return { ...pod, ...more };
}

function ended(result: AttemptResult): PodReport {
  return stuckPod({
    name: 'a',
    outcome: { kind: 'Ended', phase: 'Succeeded', job: { kind: 'NoJob' } },
    sidecarOutcome: { kind: 'Stopped', exitCode: 0 },
    attempts: [attemptBy('Signal', result)],
  });
}

const failed: JobReaction = { kind: 'Failed', reason: 'BackoffLimitExceeded' };
const harmed: Partial<PodReport> = { harm: { kind: 'JobFailed', permitted: true } };

// biome-ignore format: one row a line
it.each<readonly [isEnded: boolean, what: string, pod: PodReport]>([
  [false, 'is gone and got no step', gone([])],
  [false, 'is gone after a step that was blocked', gone([['Signal', Blocked]])],
  [false, 'is gone after a step, without a completed Job', gone([['Signal', Accepted]])],
  [false, 'was replaced after a step', gone([['Signal', Accepted]], undefined, replaced)],
  [false, 'is gone after a refused deletion', gone([['Delete', Refused]])],
  [false, 'is gone without a step, with a completed Job', gone([['Signal', Blocked]], { kind: 'Complete' })],
  [false, 'is gone with its Job', gone([['Signal', Accepted]], { kind: 'Gone' })],
  [true, 'was deleted', gone([['Delete', Accepted]])],
  [true, 'was evicted after a step that was blocked', gone([['Signal', Blocked], ['Evict', Accepted]])],
  [true, 'was deleted and replaced', gone([['Delete', Accepted]], undefined, replaced)],
  [true, 'is gone after a step, with a completed Job', gone([['Signal', Accepted]], { kind: 'Complete' })],
  [true, 'is gone with a Job that the sweep failed', gone([['Signal', Accepted]], failed, harmed)],
  [true, 'ended after a step', ended(Accepted)],
  [true, 'is gone with its Job after its sidecar was seen to end', { ...ended(Accepted), outcome: { kind: 'Gone', job: { kind: 'Gone' } } }],
  [false, 'ended after a step that was blocked', ended(Blocked)],
])('%s: the sweep ended a pod that %s', (isEnded, _what, pod) => {
  expect(endedBySweep(pod)).toBe(isEnded);
});

describe('a pod that a later sweep does not list', () => {
  const pod = stuckPod({ name: 'a', mainsEndedAt: now - hour });
  const at = now + hour;
  const later = sweepAt({ at });
  it.each<readonly [fate: 'gone' | 'stuck', what: string, later: typeof later]>([
    ['gone', 'saw all pods', later],
    ['stuck', 'lost records', { ...later, totals: { ...later.totals, candidates: 1 } }],
    ['stuck', 'was stopped early', sweepAt({ at, stoppedEarly: 'Deadline' })],
    ['stuck', 'could not read all', sweepAt({ at, unread: [{ problem: 'TimedOut', message: 'timed out' }] })],
    ['stuck', 'swept other namespaces', sweepAt({ at, namespaces: ['other'] })],
    ['stuck', 'left out its namespace', { ...later, scope: { ...later.scope, excludeNamespaces: ['jobs'] } }],
    ['stuck', 'selected namespaces', { ...later, scope: { ...later.scope, namespaceSelector: 'team=a' } }],
    ['stuck', 'swept others by name', { ...later, scope: { ...later.scope, pods: ['demo/b'] } }],
    ['stuck', 'swept another cluster', sweepAt({ at, context: 'staging' })],
    ['stuck', 'swept another shard', sweepAt({ at, shard: { index: 1, of: 2 } })],
    ['stuck', 'was a dry run', sweepAt({ at, dryRun: true })],
  ])('is %s if that sweep %s, and wastes nothing after it was last seen', (fate, _what, after) => {
    const { totals } = historyOf([sweepAt({ at: now, pods: [pod] }), after]);
    expect(totals).toMatchObject({ gone: 0, stuck: 0, pods: 1, [fate]: 1, wasted: { cpuHours: 1 } });
  });

  it('is gone if it was named in the sweep that found it, and that sweep saw all pods of the scope', () => {
    const byName = sweepAt({ at: now, pods: [pod] });
    const scope = { ...byName.scope, pods: ['demo/a'] };
    expect(historyOf([{ ...byName, scope }, later]).totals).toMatchObject({ gone: 1, stuck: 0 });
  });

  it('is not credited to a sweep that blocked its step', () => {
    const { totals } = historyOf([sweepAt({ at: now, pods: [gone([['Signal', Blocked]])] }), later]);
    expect(totals).toMatchObject({ pods: 1, ended: 0, gone: 1, stuck: 0, reclaimed: { cpuHours: 0 } });
  });
});
