import { describe, expect, it } from 'vitest';
import { concludeJob, createJobWatch, type PodEnd } from '../../../../src/apply/wait/job-reaction.ts';
import { createJobReader } from '../../../../src/facts/jobs.ts';
import type { JobReaction, JobView } from '../../../../src/model/job.ts';
import type { PodView } from '../../../../src/model/pod.ts';
import type { JobReading } from '../../../../src/model/ports.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import { createSlots } from '../../../../src/util/concurrency.ts';
import type { Millis } from '../../../../src/util/time.ts';
import { clusterWith } from '../../../builders/cluster.ts';
import { jobView } from '../../../builders/job.ts';
import { now, podView } from '../../../builders/pod-view.ts';

describe('what a Job does about a pod that ended', () => {
  const job = (more: Partial<JobView>): JobReading => ({
    kind: 'Present',
    job: jobView(more),
  });
  it.each<readonly [title: string, reading: JobReading, phase: PodEnd, reaction: JobReaction]>([
    ['it is complete', job({ complete: true }), 'Succeeded', { kind: 'Complete' }],
    [
      'it is complete all the same, when another pod succeeded',
      job({ complete: true }),
      'Failed',
      { kind: 'Complete' },
    ],
    [
      'it has given up, and says why',
      job({ failed: 'BackoffLimitExceeded' }),
      'Failed',
      { kind: 'Failed', reason: 'BackoffLimitExceeded' },
    ],
    ['it has given up without a reason', job({ failed: '' }), 'Failed', { kind: 'Failed', reason: '' }],
    ['it starts over', job({}), 'Failed', { kind: 'RunsAgain' }],
    ['it lives with a restart', job({}), 'Restarted', { kind: 'Active' }],
    ['it goes on without a pod that nobody saw end', job({}), 'Unknown', { kind: 'Active' }],
    ['it waits for other pods of its own', job({}), 'Succeeded', { kind: 'Active' }],
    ['it is gone', { kind: 'Gone' }, 'Succeeded', { kind: 'Gone' }],
    [
      'it cannot be read',
      { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } },
      'Succeeded',
      { kind: 'Unknown', problem: 'no answer' },
    ],
  ])('%s', (_title, reading, phase, reaction) => {
    expect(concludeJob(reading, podView(), phase)).toEqual(reaction);
  });
});

describe('an index', () => {
  const job: JobReading = {
    kind: 'Present',
    job: jobView({
      failedIndexes: [
        [1, 1],
        [3, 5],
      ],
    }),
  };
  it.each<readonly [index: string | undefined, end: PodEnd, kind: JobReaction['kind']]>([
    ['1', 'Failed', 'IndexFailed'],
    ['3', 'Failed', 'IndexFailed'],
    ['5', 'Unknown', 'IndexFailed'],
    ['2', 'Failed', 'RunsAgain'],
    ['6', 'Failed', 'RunsAgain'],
    ['4', 'Succeeded', 'Active'],
    [undefined, 'Failed', 'RunsAgain'],
  ])('%s of a pod that ended as %s: %s', (index, end, kind) => {
    const annotations = index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': index };
    expect(concludeJob(job, podView({ annotations }), end).kind).toBe(kind);
  });
});

describe('Jobs are read', () => {
  const ownerUid = podView().owner?.uid ?? 'nobody';
  const forbidden: JobReading = {
    kind: 'Unreadable',
    problem: { kind: 'Forbidden', message: 'jobs.batch is forbidden' },
  };
  const ended = (more: Partial<PodView> = {}, end: PodEnd = 'Succeeded') =>
    [podView({ phase: 'Succeeded', ...more }), end] as const;

  /** A watch of a cluster that gives these answers one after the other, the last one for ever. */
  function watch(...answers: readonly [JobReading, ...JobReading[]]) {
    const asked: string[] = [];
    const heard: SweepEvent[] = [];
    const slept: (readonly [time: Millis, until: AbortSignal])[] = [];
    const stopping = new AbortController();
    const cluster = clusterWith({
      async readJob(namespace, { name, uid }) {
        asked.push(`${namespace}/${name}/${uid}`);
        return answers[asked.length - 1] ?? answers[answers.length - 1] ?? answers[0];
      },
    });
    const jobs = createJobWatch({
      jobs: createJobReader(cluster, (event) => heard.push(event)),
      slots: createSlots(1),
      clock: {
        now: () => now,
        async sleep(time, until) {
          slept.push([time, until]);
        },
      },
      stop: stopping.signal,
      cut: new AbortController().signal,
    });
    return { jobs, asked, heard, slept, stopping };
  }

  it('by name and uid of the pod’s owner, in the pod’s namespace', async () => {
    const { jobs, asked } = watch({ kind: 'Gone' });
    expect(await jobs.reactionTo(...ended())).toEqual({ kind: 'Gone' });
    expect(asked).toEqual([`demo/work/${ownerUid}`]);
  });

  it.each<readonly [title: string, pod: PodView]>([
    ['of a pod without an owner', podView({ owner: undefined })],
    [
      'of a pod that belongs to a workflow',
      podView({ owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'u' } }),
    ],
  ])('never because %s', async (_title, pod) => {
    const { jobs, asked } = watch({ kind: 'Gone' });
    expect(await jobs.reactionTo(pod, 'Failed')).toEqual({ kind: 'NoJob' });
    expect(asked).toEqual([]);
  });

  it('no more in a namespace that has refused, of which one warning tells', async () => {
    const { jobs, asked, heard } = watch(forbidden);
    const unknown = { kind: 'Unknown', problem: 'jobs.batch is forbidden' };
    expect(await jobs.reactionTo(...ended())).toEqual(unknown);
    expect(await jobs.reactionTo(...ended())).toEqual(unknown);
    expect(asked).toHaveLength(1);
    expect(heard).toEqual([
      {
        kind: 'Warned',
        warning: {
          kind: 'JobsUnreadable',
          namespaces: ['demo'],
          message:
            'jobs.batch is forbidden; grant get on jobs by the rule - {apiGroups: [batch], resources: [jobs], verbs: [get]}',
        },
      },
    ]);
  });

  it('of pods that end together at once, and one warning still tells of it', async () => {
    const { jobs, heard } = watch(forbidden);
    await Promise.all([jobs.reactionTo(...ended()), jobs.reactionTo(...ended())]);
    expect(heard).toHaveLength(1);
  });

  it('in other namespaces all the same', async () => {
    const { jobs, asked } = watch(forbidden);
    await jobs.reactionTo(...ended());
    await jobs.reactionTo(...ended({ ref: { namespace: 'other', name: 'p', uid: 'u' } }));
    expect(asked).toEqual([`demo/work/${ownerUid}`, `other/work/${ownerUid}`]);
  });

  describe('again, half a second later, while the pod is not counted:', () => {
    const present = (more: Partial<JobView>): JobReading => ({
      kind: 'Present',
      job: jobView(more),
    });
    const uncounted = present({ uncounted: ['somebody', podView().ref.uid] });
    const complete = present({ complete: true });

    it('what it says once the pod is counted counts', async () => {
      const { jobs, asked, slept, stopping } = watch(uncounted, uncounted, complete);
      expect(await jobs.reactionTo(...ended())).toEqual({ kind: 'Complete' });
      expect(asked).toHaveLength(3);
      // A sweep that stops wakes it.
      expect(slept).toEqual([
        [500, stopping.signal],
        [500, stopping.signal],
      ]);
    });

    it('not for the sake of other pods', async () => {
      const { jobs, slept } = watch(present({ uncounted: ['somebody'] }), complete);
      expect(await jobs.reactionTo(...ended({ phase: 'Failed' }, 'Failed'))).toEqual({ kind: 'RunsAgain' });
      expect(slept).toEqual([]);
    });

    it('five times at most, and then what it says counts all the same', async () => {
      const { jobs, asked, slept } = watch(uncounted);
      expect(await jobs.reactionTo(...ended({ phase: 'Failed' }, 'Failed'))).toEqual({ kind: 'RunsAgain' });
      expect(asked).toHaveLength(6);
      expect(slept).toHaveLength(5);
    });

    it('when a sidecar was restarted, until the Job has failed, because it counts restarts later', async () => {
      const { jobs, slept } = watch(present({}), present({}), present({ failed: 'BackoffLimitExceeded' }));
      expect(await jobs.reactionTo(podView(), 'Restarted')).toEqual({
        kind: 'Failed',
        reason: 'BackoffLimitExceeded',
      });
      expect(slept).toHaveLength(2);
    });

    it('five times after a restart that the Job lives with', async () => {
      const { jobs, slept } = watch(present({}));
      expect(await jobs.reactionTo(podView(), 'Restarted')).toEqual({ kind: 'Active' });
      expect(slept).toHaveLength(5);
    });

    it('not when it cannot be read any more', async () => {
      const { jobs, asked, heard } = watch(uncounted, forbidden);
      expect(await jobs.reactionTo(...ended())).toMatchObject({ kind: 'Unknown' });
      expect(asked).toHaveLength(2);
      expect(heard).toHaveLength(1);
    });

    it('not when the sweep is stopping', async () => {
      const { jobs, asked, slept, stopping } = watch(uncounted, complete);
      stopping.abort('Deadline');
      expect(await jobs.reactionTo(...ended())).toEqual({ kind: 'Active' });
      expect(asked).toHaveLength(1);
      expect(slept).toEqual([]);
    });

    it('but no slot is held meanwhile', async () => {
      const slots = createSlots(1);
      const readings = [uncounted, complete];
      let sawFreeSlot = false;
      const jobs = createJobWatch({
        jobs: { read: async () => readings.shift() ?? complete },
        slots,
        clock: {
          now: () => now,
          async sleep() {
            sawFreeSlot = await slots(async () => true);
          },
        },
        stop: new AbortController().signal,
        cut: new AbortController().signal,
      });
      expect(await jobs.reactionTo(...ended())).toEqual({ kind: 'Complete' });
      expect(sawFreeSlot).toBe(true);
    });
  });
});
