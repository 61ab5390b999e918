import { describe, expect, it } from 'vitest';
import { concludeJob, createJobWatch } from '../../../src/apply/job-reaction.ts';
import { createSlots } from '../../../src/apply/slots.ts';
import type { JobReading } from '../../../src/ports.ts';
import type { JobReaction, JobView, PodReading, PodView, SweepEvent } from '../../../src/types.ts';
import { now, podView } from '../../builders/pod-view.ts';

describe('what a Job does about a pod that ended', () => {
  const job = (more: Partial<JobView>): JobReading => ({
    kind: 'Present',
    job: { complete: false, failed: undefined, ...more },
  });
  it.each<readonly [title: string, reading: JobReading, phase: string, reaction: JobReaction]>([
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
    ['it waits for other pods of its own', job({}), 'Succeeded', { kind: 'Active' }],
    ['it is gone', { kind: 'Gone' }, 'Succeeded', { kind: 'Gone' }],
    [
      'it cannot be read',
      { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } },
      'Succeeded',
      { kind: 'Unknown', problem: 'no answer' },
    ],
  ])('%s', (_title, reading, phase, reaction) => {
    expect(concludeJob(reading, phase)).toEqual(reaction);
  });
});

describe('Jobs are read', () => {
  const forbidden: JobReading = {
    kind: 'Unreadable',
    problem: { kind: 'Forbidden', message: 'jobs.batch is forbidden' },
  };
  const ended = (more: Partial<PodView> = {}): PodReading => ({
    kind: 'Present',
    pod: podView({ phase: 'Succeeded', ...more }),
    asOf: now,
  });

  function watch(answer: JobReading) {
    const asked: string[] = [];
    const heard: SweepEvent[] = [];
    const cluster = {
      async readJob(namespace: string, name: string) {
        asked.push(`${namespace}/${name}`);
        return answer;
      },
    };
    const cut = new AbortController().signal;
    const jobs = createJobWatch(cluster, createSlots(1), (event) => heard.push(event), cut);
    return { jobs, asked, heard };
  }

  it('by the name of the pod’s owner, in the pod’s namespace', async () => {
    const { jobs, asked } = watch({ kind: 'Gone' });
    expect(await jobs.reactionTo(ended())).toEqual({ kind: 'Gone' });
    expect(asked).toEqual(['demo/work']);
  });

  it.each<readonly [title: string, reading: PodReading]>([
    ['of a pod without an owner', ended({ owner: undefined })],
    ['of a pod that belongs to a workflow', ended({ owner: { kind: 'Workflow', name: 'w', uid: 'u' } })],
    ['of a pod that has not ended', ended({ phase: 'Running' })],
    ['of a pod that is gone', { kind: 'Gone' }],
  ])('never because %s', async (_title, reading) => {
    const { jobs, asked } = watch({ kind: 'Gone' });
    expect(await jobs.reactionTo(reading)).toEqual({ kind: 'NoJob' });
    expect(asked).toEqual([]);
  });

  it('no more in a namespace that has refused, of which one warning tells', async () => {
    const { jobs, asked, heard } = watch(forbidden);
    const unknown = { kind: 'Unknown', problem: 'jobs.batch is forbidden' };
    expect(await jobs.reactionTo(ended())).toEqual(unknown);
    expect(await jobs.reactionTo(ended())).toEqual(unknown);
    expect(asked).toHaveLength(1);
    expect(heard).toEqual([
      { kind: 'Warned', warning: { kind: 'JobsUnreadable', message: 'jobs.batch is forbidden' } },
    ]);
  });

  it('of pods that end together at once, and one warning still tells of it', async () => {
    const { jobs, heard } = watch(forbidden);
    await Promise.all([jobs.reactionTo(ended()), jobs.reactionTo(ended())]);
    expect(heard).toHaveLength(1);
  });

  it('in other namespaces all the same', async () => {
    const { jobs, asked } = watch(forbidden);
    await jobs.reactionTo(ended());
    await jobs.reactionTo(ended({ ref: { namespace: 'other', name: 'p', uid: 'u' } }));
    expect(asked).toEqual(['demo/work', 'other/work']);
  });
});
