import { expect, it } from 'vitest';
import { failedPodsOf } from '../../../src/model/job.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { jobView } from '../../builders/job.ts';
import { podView } from '../../builders/pod-view.ts';

const job = jobView({ failedPods: 3, uncounted: ['uid-1'] });
const failed = (uid: string, more: Partial<PodView> = {}) =>
  podView({ ref: { namespace: 'demo', name: uid, uid }, phase: 'Failed', ...more });

it.each<readonly [title: string, pods: readonly PodView[], expected: number]>([
  ['as many as it says if no failed pod is left', [], 3],
  ['one more if it has not noticed one', [failed('uid-2')], 4],
  ['no more for one that it has noticed, but not counted', [failed('uid-1')], 3],
  ['no more for one that it has counted', [failed('uid-2', { awaitsJobTracking: false })], 3],
  ['no more for one that has not failed', [failed('uid-2', { phase: 'Running' })], 3],
])('the failed pods of a Job are %s', (_title, pods, expected) => {
  expect(failedPodsOf(job, pods)).toBe(expected);
});
