import { describe, expect, it } from 'vitest';
import type { PodView } from '../../../src/model/pod.ts';
import type { JobFacts } from '../../../src/model/reading.ts';
import type { UncleanExit } from '../../../src/model/step.ts';
import { fits, limitFor, whyRestartsFailJob } from '../../../src/plan/restart-room.ts';
import { jobFacts } from '../../builders/job.ts';
import { candidate } from '../../builders/plan.ts';
import { podView } from '../../builders/pod-view.ts';

const unread = 'its Job cannot be read, and may have no restarts left';
const full = (limit: number) => `its Job would count it as a restart, and fail: backoffLimit ${limit}`;

function why(
  job: JobFacts | undefined,
  {
    pod = {},
    restarts = 1,
    mode = 'forbid',
    mayRaise = false,
  }: { pod?: Partial<PodView>; restarts?: number; mode?: UncleanExit; mayRaise?: boolean } = {},
): string | undefined {
  return whyRestartsFailJob(
    candidate(podView({ restartPolicy: 'OnFailure', ...pod })),
    job,
    restarts,
    mode,
    mayRaise,
  );
}

describe('a restart of one sidecar', () => {
  // Recorded: image-swap-onfailure-backoff-one-fails, and with backoffLimit 0 as well.
  it.each<readonly [title: string, JobFacts | undefined, expected: string | undefined]>([
    ['fails a Job with backoffLimit 0', jobFacts({ backoffLimit: 0 }), full(0)],
    ['fails a Job with backoffLimit 1', jobFacts({ backoffLimit: 1 }), full(1)],
    ['does not fail a Job with backoffLimit 2', jobFacts({ backoffLimit: 2 }), undefined],
    [
      'waits for other pods of the Job to end, rather than being unfit',
      jobFacts({ backoffLimit: 2 }, 50),
      undefined,
    ],
    ['may fail a Job that was not read', undefined, unread],
    ['may fail a Job that cannot be read', { kind: 'Unreadable' }, unread],
    ['fails no Job that is gone', { kind: 'Gone' }, undefined],
  ])('%s', (_title, job, expected) => {
    expect(why(job)).toBe(expected);
  });

  it.each<readonly [title: string, Parameters<typeof why>[1]]>([
    ['if pods are not restarted', { pod: { restartPolicy: 'Never' } }],
    ['if nothing owns the pod', { pod: { owner: undefined } }],
    ['if the operator takes the risk', { mode: 'allow' }],
  ])('costs no Job %s', (_title, more) => {
    expect(why(jobFacts({ backoffLimit: 0 }), more)).toBeUndefined();
    expect(why(undefined, more)).toBeUndefined();
  });

  it.each<readonly [title: string, JobFacts, Partial<PodView>]>([
    [
      'another kind of Job',
      jobFacts(),
      { owner: { group: 'kubeflow.org', kind: 'TFJob', name: 'work', uid: 'u' } },
    ],
    ['an owner that does not control the pod', jobFacts(), { owner: undefined, hasOtherOwner: true }],
    ['a Job that another controller manages', jobFacts({ otherController: 'example.com/queue' }), {}],
  ])('may fail %s', (_title, job, pod) => {
    const failing = 'its owner may count it as a restart, and fail';
    expect(why(job, { pod })).toBe(failing);
    expect(why(job, { pod, mayRaise: true })).toBe(failing);
    expect(why(job, { pod, mode: 'allow' })).toBeUndefined();
    expect(why(job, { pod: { ...pod, restartPolicy: 'Never' } })).toBeUndefined();
  });

  // Recorded: image-swap-onfailure-backoff-raised.
  it('costs no Job whose backoffLimit may be raised', () => {
    expect(why(jobFacts({ backoffLimit: 0 }), { mayRaise: true })).toBeUndefined();
    expect(why({ kind: 'Unreadable' }, { mayRaise: true })).toBe(unread);
    expect(why(undefined, { mayRaise: true })).toBe(unread);
  });

  it('is refused under forbid as well', () => {
    expect(why(jobFacts({ backoffLimit: 1 }), { mode: 'forbid' })).toBe(full(1));
  });
});

it.each<readonly [before: number, restarts: number, backoffLimit: number, expected: string | undefined]>([
  [0, 2, 2, full(2)],
  [0, 2, 3, undefined],
  [1, 1, 2, full(2)],
  [1, 1, 3, undefined],
  [4, 1, 6, undefined],
  [5, 1, 6, full(6)],
])(
  'a pod with %i restarts and %i more, in a Job with backoffLimit %i: %s',
  (before, restarts, limit, expected) => {
    expect(why(jobFacts({ backoffLimit: limit }), { pod: { restarts: before }, restarts })).toBe(expected);
  },
);

it.each<readonly [restarts: number, backoffLimit: number, expected: boolean]>([
  [0, 0, true],
  [1, 0, false],
  [0, 1, true],
  [1, 1, false],
  [1, 2, true],
  [5, 6, true],
  [6, 6, false],
  [7, 6, false],
])('a Job with %i restarts and backoffLimit %i: does it live? %s', (restarts, limit, expected) => {
  expect(fits(restarts, limit)).toBe(expected);
});

it.each([1, 2, 6])('the smallest backoffLimit that fits %i restarts', (restarts) => {
  expect(fits(restarts, limitFor(restarts))).toBe(true);
  expect(fits(restarts, limitFor(restarts) - 1)).toBe(false);
});
