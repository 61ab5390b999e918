import { describe, expect, it } from 'vitest';
import type { Answer, SendRequest } from '../../../../src/apply/gates/gate.ts';
import { JobBudgetGate } from '../../../../src/apply/gates/job-budget.ts';
import type { JobCounts } from '../../../../src/facts/job-facts.ts';
import type { JobView } from '../../../../src/model/job.ts';
import { jobView } from '../../../builders/job.ts';
import { now } from '../../../builders/pod-view.ts';
import { answered, type Happened, left, open, over, play, requestTo, waitFor } from './requests.ts';

const stale: Answer = { kind: 'Stale' };
const noRoom: Answer = { kind: 'Never', reason: 'NoRoomInJob' };
const noRoomBut = (raiseTo: number): Answer => ({ ...noRoom, raiseTo });
const wait = waitFor('job j');

/** A swap in a pod whose restarts its Job counts. */
function swap(name: string, restarts = 1, before = 0, more: Partial<SendRequest> = {}): SendRequest {
  return requestTo(name, { job: 'j', restarts, ...more }, { restartPolicy: 'OnFailure', restarts: before });
}

/** A step in a pod that fails if the step ends a sidecar unclean. */
function ask(name: string, more: Partial<SendRequest> = {}): SendRequest {
  return requestTo(name, { job: 'j', ...more });
}

/** The Job as it was read: its fields, and the restarts of its pods. */
function read(
  job: Partial<JobView> = {},
  restarts: Readonly<Record<string, number>> = {},
  at = now,
): JobCounts {
  return { at, reading: { kind: 'Present', job: jobView(job) }, restarts: new Map(Object.entries(restarts)) };
}

const problem = { kind: 'TimedOut', message: 'no answer' } as const;
const unread: JobCounts = { at: now, reading: { kind: 'Unreadable', problem }, restarts: new Map() };
const gone: JobCounts = { at: now, reading: { kind: 'Gone' }, restarts: new Map() };

type Row = readonly [
  title: string,
  history: readonly Happened[],
  request: SendRequest,
  counts: JobCounts | undefined,
  answer: Answer,
];

function answers(rows: readonly Row[]): void {
  it.each(rows)('%s', (_title, history, request, counts, expected) => {
    const gate = new JobBudgetGate();
    play(gate, history);
    expect(gate.ask(request, counts, now)).toEqual(expected);
  });
}

describe('a Job is not asked about', () => {
  answers([
    ['a step in a pod without one', [], swap('a', 1, 0, { job: undefined }), undefined, open],
    ['a step whose unclean end costs nothing', [], swap('a', 1, 0, { cost: 'Nothing' }), undefined, open],
    ['a step that may fail its Job under Never', [], ask('a', { mayFailJob: true }), undefined, open],
    ['a step that adds no restart, under OnFailure', [[swap('b')]], swap('a', 0), undefined, open],
  ]);
});

describe('what was read of a Job', () => {
  const settled: readonly Happened[] = [[swap('b')], [swap('b'), over('Clean')]];
  const before = read({}, { a: 0, b: 1 }, now - 1);
  // biome-ignore format: one row a line
  answers([
    ['is wanted', [], swap('a'), undefined, stale],
    ['is wanted under Never', [], ask('a'), undefined, stale],
    ['holds for five seconds', [], swap('a'), read({}, { a: 0 }, now - 5_000), open],
    ['and no longer', [], swap('a'), read({}, { a: 0 }, now - 5_001), stale],
    ['is too old if a step for one of its pods settled since', settled, swap('a'), before, stale],
    ['is not if the step settled before', settled, swap('a'), read({}, { a: 0, b: 1 }), open],
    ['is not if it merely has its answer', [[swap('b')], [swap('b'), answered(true)]], swap('a'), before, open],
    ['is not if a pod was concluded that nothing was sent to', [[swap('b'), left()]], swap('a'), before, open],
    ['is too old if a pod was concluded that was sent to', [[swap('b')], [swap('b'), left()]], swap('a'), before, stale],
    ['does not count if the Job is gone', [], swap('a'), gone, open],
    ['does not count under Never if the Job is gone', [], ask('a'), gone, open],
    ['leaves no room under OnFailure if it could not be read', [], swap('a'), unread, noRoom],
    ['leaves none either if only its pods could be', [], swap('a'), { ...unread, restarts: new Map([['a', 0]]) }, noRoom],
    ['leaves room for one pod at a time under Never if it could not be read', [], ask('a'), unread, open],
    ['leaves room for no other pod then', [[ask('b')]], ask('a'), unread, wait],
  ]);
});

describe('under OnFailure, the restarts of all pods stay below the limit:', () => {
  const limit = (backoffLimit: number, restarts: Readonly<Record<string, number>>) =>
    read({ backoffLimit }, restarts);
  // biome-ignore format: one row a line
  answers([
    ['the first restart of one', [], swap('a'), limit(2, { a: 0 }), open],
    ['the last that fits', [], swap('a'), limit(3, { a: 1 }), open],
    ['one too many', [], swap('a', 1, 1), limit(2, { a: 1 }), noRoomBut(3)],
    ['0 counts as 1', [], swap('a', 0), limit(0, { a: 0 }), open],
    ['a restart does not fit into 0', [], swap('a'), limit(0, { a: 0 }), noRoomBut(2)],
    ['two sidecars restart twice', [], swap('a', 2), limit(2, { a: 0 }), noRoomBut(3)],
    ['those of other pods count', [], swap('a'), limit(4, { a: 0, b: 3 }), noRoomBut(5)],
    ['those that the pod has had since it was listed count', [], swap('a', 1, 0), limit(4, { a: 2 }), open],
    ['and the one that the swap adds to them', [], swap('a', 1, 0), limit(3, { a: 2 }), noRoomBut(4)],
    ['a pod that is not among those that were read', [], swap('a'), limit(9, { b: 0 }), noRoom],
    ['a pod that is not among them, while another is on its way', [[swap('b')]], swap('a'), limit(9, { b: 0 }), wait],
  ]);
});

describe('under OnFailure, what is reserved for other pods counts,', () => {
  const both = read({ backoffLimit: 2 }, { a: 0, b: 0 });
  const history = (...settled: readonly Happened[]): readonly Happened[] => [[swap('b')], ...settled];
  // biome-ignore format: one row a line
  answers([
    ['so that it is waited for', history(), swap('a'), both, wait],
    ['so that it is waited for even if the Job may fail', history(), swap('a', 1, 0, { mayFailJob: true }), both, wait],
    ['but if the Job may fail, only while that helps', history([swap('b'), over('Unseen')]), swap('a', 1, 0, { mayFailJob: true }), both, open],
    ['and not if the Job may fail and cannot be read', history(), swap('a', 1, 0, { mayFailJob: true }), unread, open],
    ['but no step that adds none is waited for', [[swap('b', 0)]], swap('a'), read({ backoffLimit: 1 }, { a: 0, b: 0 }), noRoomBut(2)],
    ['without those of a step that was not sent', history([swap('b', 1, 0, { id: 'b/1' })], [swap('b', 1, 0, { id: 'b/1' }), over('NotSent')], [swap('b'), left('Open')]), swap('a'), both, noRoomBut(3)],
    ['and goes with a greater limit', history(), swap('a'), read({ backoffLimit: 3 }, { a: 0, b: 0 }), open],
    ['once, when its restart shows', history(), swap('a'), read({ backoffLimit: 3 }, { a: 0, b: 1 }), open],
    ['also those that it had before', [[swap('b', 1, 3)]], swap('a'), read({ backoffLimit: 5 }, { a: 0, b: 3 }), wait],
    ['while its step may still work', history([swap('b'), answered(true)]), swap('a'), both, wait],
    ['when it ended clean, until it is concluded', history([swap('b'), over('Clean')]), swap('a'), both, wait],
    ['when its end was not seen, but is not waited for', history([swap('b'), over('Unseen')]), swap('a'), both, noRoomBut(3)],
    ['when it runs on at the end, but is not waited for', history([swap('b'), left('Open')]), swap('a'), both, noRoomBut(3)],
    ['but not if nothing was sent', history([swap('b'), over('NotSent')]), swap('a'), both, open],
    ['but not once it has succeeded', history([swap('b'), left('Succeeded')]), swap('a'), both, open],
    ['but not once it has failed', history([swap('b'), left('Failed')]), swap('a'), both, open],
    ['for the steps that were sent, if another one was not', [[swap('b')], [swap('b', 1, 0, { id: 'b/1' })], [swap('b', 1, 0, { id: 'b/1' }), over('NotSent')]], swap('a'), both, wait],
  ]);

  it('as well as those that it had had since it was listed, when its step was sent', () => {
    const gate = new JobBudgetGate();
    play(gate, [[swap('b')]], read({}, { a: 0, b: 2 }));
    const counts = (backoffLimit: number) => read({ backoffLimit }, { a: 0, b: 2 });
    expect(gate.ask(swap('a'), counts(5), now)).toEqual(open);
    expect(gate.ask(swap('a'), counts(4), now)).toEqual(wait);
  });

  it('but no step that adds no restart: two pods that were asked first would wait for each other', () => {
    const gate = new JobBudgetGate();
    const [a, b] = [swap('a', 0, 1), swap('b', 0, 1)];
    play(gate, [[a], [b], [a, over('Clean')], [b, over('Clean')]]);
    expect(gate.ask(swap('a', 1, 1), read({ backoffLimit: 3 }, { a: 1, b: 1 }), now)).toEqual(noRoomBut(4));
  });

  it('for each Job on its own', () => {
    const gate = new JobBudgetGate();
    play(gate, [[swap('b')]]);
    expect(gate.ask(swap('a', 1, 0, { job: 'other' }), both, now)).toEqual(open);
  });
});

describe('under OnFailure, a pod that was sent to before', () => {
  const sent: readonly Happened[] = [[swap('a')]];
  answers([
    ['has the restarts of both steps', sent, swap('a'), read({ backoffLimit: 2 }, { a: 0 }), noRoomBut(3)],
    ['does not wait for itself', sent, swap('a'), read({ backoffLimit: 3 }, { a: 0 }), open],
    ['counts from where it began', sent, swap('a', 1, 1), read({ backoffLimit: 3 }, { a: 1 }), open],
    [
      'does not wait for another that was sent to, which may wait for this one',
      [[swap('a')], [swap('b')]],
      swap('a'),
      read({ backoffLimit: 3 }, { a: 0, b: 0 }),
      noRoomBut(4),
    ],
  ]);
});

describe('under Never, a Job lives if all that were sent to fail:', () => {
  const failed = (failedPods: number, backoffLimit: number) => read({ failedPods, backoffLimit });
  const other: readonly Happened[] = [[ask('b')]];
  // biome-ignore format: one row a line
  answers([
    ['one may fail', [], ask('a'), failed(0, 1), open],
    ['two may fail', other, ask('a'), failed(0, 2), open],
    ['one of two may fail', other, ask('a'), failed(0, 1), wait],
    ['failed pods count', other, ask('a'), failed(1, 2), wait],
    ['the last one goes if no other is on its way: what it is promised decides', [], ask('a'), failed(6, 6), open],
    ['nothing is waited for that has ended unseen', [...other, [ask('b'), over('Unseen')]], ask('a'), failed(0, 1), open],
    ['nothing is waited for that the kubelet has yet to do', [...other, [ask('b'), over('Pending')]], ask('a'), failed(0, 1), open],
    ['nothing counts that was not sent', [...other, [ask('b'), over('NotSent')], [ask('c')]], ask('a'), failed(0, 2), open],
    ['its own place is no other', [[ask('a')], [ask('a'), over('Unseen')], ...other], ask('a'), failed(0, 2), open],
    ['nothing is waited for that was not sent', [...other, [ask('b'), over('NotSent')]], ask('a'), failed(0, 1), open],
    ['a pod is waited for that another step was not sent to', [...other, [ask('b', { id: 'b/1' })], [ask('b', { id: 'b/1' }), over('NotSent')]], ask('a'), failed(0, 1), wait],
    ['a pod is waited for while another step may still end it', [...other, [ask('b', { id: 'b/1' })], [ask('b'), over('Unseen')]], ask('a'), failed(0, 1), wait],
    ['one that outlived a step counts, if another one was not sent', [...other, [ask('b'), over('Unseen')], [ask('b', { id: 'b/1' })], [ask('b', { id: 'b/1' }), over('NotSent')], [ask('c')]], ask('a'), failed(0, 2), wait],
    ['a pod that ended clean is waited for until it is concluded', [...other, [ask('b'), over('Clean')]], ask('a'), failed(0, 1), wait],
    ['a pod that succeeded is not counted', [...other, [ask('b'), left('Succeeded')], [ask('c')]], ask('a'), failed(0, 2), open],
    ['a pod that failed is', [...other, [ask('b'), left('Failed')], [ask('c')]], ask('a'), failed(0, 2), wait],
    ['a pod does not wait for itself', [[ask('a')]], ask('a'), failed(0, 0), open],
    ['nor one that was sent to for another, which may wait for this one', [[ask('a')], ...other], ask('a'), failed(1, 2), open],
    ['but for it once its own step has ended unseen', [[ask('a')], ...other, [ask('a'), over('Unseen')]], ask('a'), failed(1, 2), wait],
  ]);
});

it.each<readonly [string, Happened, readonly string[]]>([
  ['an answer opens nothing', [swap('a'), answered(true)], []],
  ['a step that is over may open its Job', [swap('a'), over('Unseen')], ['job j']],
  ['so may a pod that is concluded', [swap('a'), left()], ['job j']],
  ['but no pod that nothing was sent to', [swap('b'), left()], []],
  ['nor one of another Job', [swap('a', 1, 0, { job: 'k' }), left()], []],
  ['nor one without a Job', [swap('a', 1, 0, { job: undefined }), left()], []],
])('%s', (_title, happened, keys) => {
  expect(play(new JobBudgetGate(), [[swap('a')], happened])).toEqual(keys);
});

it('nothing is reserved for a pod without a Job', () => {
  const alone = swap('a', 1, 0, { job: undefined });
  expect(play(new JobBudgetGate(), [[alone], [alone, over('Clean')]])).toEqual([]);
});
