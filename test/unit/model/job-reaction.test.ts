import { describe, expect, it } from 'vitest';
import type { JobReaction, JobView } from '../../../src/model/job.ts';
import { concludeJob, failedPodsOf, mayStillReact, type PodEnd } from '../../../src/model/job-reaction.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { JobReading } from '../../../src/model/reading.ts';
import { jobView, presentJob } from '../../builders/job.ts';
import { podView } from '../../builders/pod-view.ts';

describe('what a Job does about a pod that ended', () => {
  // biome-ignore format: one row a line
  it.each<readonly [title: string, reading: JobReading, phase: PodEnd, reaction: JobReaction]>([
    ['it is complete', presentJob({ complete: true }), 'Succeeded', { kind: 'Complete' }],
    ['it is complete all the same, when another pod succeeded', presentJob({ complete: true }), 'Failed', { kind: 'Complete' }],
    ['it has given up, and says why', presentJob({ failed: 'BackoffLimitExceeded' }), 'Failed', { kind: 'Failed', reason: 'BackoffLimitExceeded' }],
    ['it has given up without a reason', presentJob({ failed: '' }), 'Failed', { kind: 'Failed', reason: '' }],
    ['it starts over', presentJob({}), 'Failed', { kind: 'RunsAgain' }],
    ['it replaces no pod of a work queue after a success', presentJob({ completions: undefined, succeededPods: 1 }), 'Failed', { kind: 'Active' }],
    ['it replaces one of a work queue before', presentJob({ completions: undefined, succeededPods: 0 }), 'Failed', { kind: 'RunsAgain' }],
    ['it replaces one of a given number of pods', presentJob({ completions: 3, succeededPods: 1 }), 'Failed', { kind: 'RunsAgain' }],
    ['it may do anything if another controller manages it', presentJob({ otherController: 'example.com/queue' }), 'Failed', { kind: 'Active' }],
    ['it lives with a restart', presentJob({}), 'Restarted', { kind: 'Active' }],
    ['it goes on without a pod that was not seen to end', presentJob({}), 'Unknown', { kind: 'Active' }],
    ['it waits for other pods of its own', presentJob({}), 'Succeeded', { kind: 'Active' }],
    ['it is gone', { kind: 'Gone' }, 'Succeeded', { kind: 'Gone' }],
    ['it cannot be read', { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } }, 'Succeeded', { kind: 'Unknown', problem: 'no answer' }],
  ])('%s', (_title, reading, phase, reaction) => {
    expect(concludeJob(reading, podView(), phase)).toEqual(reaction);
    const uncounted = reaction.kind === 'RunsAgain' ? 'Unknown' : reaction.kind;
    expect(concludeJob(reading, podView({ phase: 'Failed' }), phase).kind).toBe(uncounted);
  });
});

describe('an index', () => {
  const failedIndexes = [[1, 1], [3, 5]] as const; // biome-ignore format: one line
  const job = presentJob({ failedIndexes });
  // biome-ignore format: as many as fit on a line
  it.each<readonly [index: string | undefined, end: PodEnd, kind: JobReaction['kind']]>([
    ['1', 'Failed', 'IndexFailed'], ['3', 'Failed', 'IndexFailed'], ['5', 'Unknown', 'IndexFailed'],
    ['2', 'Failed', 'RunsAgain'], ['6', 'Failed', 'RunsAgain'], ['4', 'Succeeded', 'Active'],
    [undefined, 'Failed', 'RunsAgain'],
  ])('%s of a pod that ended as %s: %s', (index, end, kind) => {
    const annotations = index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': index };
    expect(concludeJob(job, podView({ annotations }), end).kind).toBe(kind);
  });
});

it.each<readonly [string, Partial<JobView>, PodEnd, boolean]>([
  ['it has yet to count the pod', { uncounted: ['other', podView().ref.uid] }, 'Succeeded', true],
  ['it has counted the pod', { uncounted: ['other'] }, 'Failed', false],
  ['a restart may be too much for it', {}, 'Restarted', true],
  ['a restart was too much for it', { failed: '' }, 'Restarted', false],
  ['it is complete', { complete: true }, 'Restarted', false],
])('a Job may still react: %s', (_title, more, end, expected) => {
  expect(mayStillReact(presentJob(more), podView(), end)).toBe(expected);
  expect(mayStillReact({ kind: 'Gone' }, podView(), end)).toBe(false);
});

const threeFailed = jobView({ failedPods: 3, uncounted: ['uid-1'] });
const failed = (uid: string, more: Partial<PodView> = {}) =>
  podView({ ref: { namespace: 'demo', name: uid, uid }, phase: 'Failed', ...more });

it.each<readonly [title: string, pods: readonly PodView[], expected: number]>([
  ['as many as it says if no failed pod is left', [], 3],
  ['one more if it has not noticed one', [failed('uid-2')], 4],
  ['no more for one that it has noticed, but not counted', [failed('uid-1')], 3],
  ['no more for one that it has counted', [failed('uid-2', { awaitsJobTracking: false })], 3],
  ['no more for one that has not failed', [failed('uid-2', { phase: 'Running' })], 3],
])('the failed pods of a Job are %s', (_title, pods, expected) => {
  expect(failedPodsOf(threeFailed, pods)).toBe(expected);
});
