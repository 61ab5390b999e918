import { describe, expect, it } from 'vitest';
import { gatherJobFacts } from '../../../src/facts/jobs.ts';
import { jobKey, type Owner, type PodView } from '../../../src/model/pod.ts';
import type { JobReading } from '../../../src/model/ports.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import { jobView } from '../../builders/job.ts';
import { candidate } from '../../builders/plan.ts';
import { podView } from '../../builders/pod-view.ts';

const stop = new AbortController().signal;
const present: JobReading = { kind: 'Present', job: jobView({ backoffLimit: 3 }) };
const onFailure = { restartPolicy: 'OnFailure' } as const;

function ownerOf(name: string, group = 'batch'): Owner {
  return { group, kind: 'Job', name, uid: `uid-of-${name}` };
}

/** A stuck pod of a Job of that name. */
function stuck(job: string, more: Partial<PodView> = {}): Candidate {
  return candidate(podView({ owner: ownerOf(job), ...more }));
}

/** A cluster whose Jobs read like this and have pods with so many restarts. */
function gathering(reading: JobReading = present, restarts: readonly number[] | 'Unlisted' = []) {
  const asked: string[] = [];
  let slotsUsed = 0;
  const gather = (...candidates: readonly Candidate[]) =>
    gatherJobFacts(candidates, {
      jobs: {
        async readAll(owned, slots, signal) {
          expect(signal).toBe(stop);
          const readings = owned.map(({ namespace, owner }) =>
            slots(async () => {
              asked.push(`job ${namespace}/${owner.name}`);
              return [jobKey(namespace, owner), reading] as const;
            }),
          );
          return new Map(await Promise.all(readings));
        },
      },
      cluster: {
        async listJobPods(namespace, { name }, signal) {
          expect(signal).toBe(stop);
          asked.push(`pods of ${namespace}/${name}`);
          return restarts === 'Unlisted' ? undefined : restarts.map((count) => podView({ restarts: count }));
        },
      },
      slots: (work) => {
        slotsUsed++;
        return work();
      },
      stop,
    });
  return { gather, asked, slotsUsed: () => slotsUsed };
}

describe('what is known of Jobs', () => {
  it('comes from one read of each, however many of its pods are stuck', async () => {
    const { gather, asked, slotsUsed } = gathering();
    const facts = await gather(stuck('a'), stuck('b'), stuck('a'));
    expect(asked).toEqual(['job demo/a', 'job demo/b']);
    expect(slotsUsed()).toBe(2);
    const known = { kind: 'Known', job: jobView({ backoffLimit: 3 }), restarts: 0 };
    expect(facts).toEqual(
      new Map([
        ['demo/a/uid-of-a', known],
        ['demo/b/uid-of-b', known],
      ]),
    );
  });

  it('is not what a pod of another namespace makes of it that names the uid of the Job', async () => {
    const { gather, asked } = gathering();
    const forged = stuck('a', { ref: { namespace: 'other', name: 'forged', uid: 'uid-9' } });
    const facts = await gather(stuck('a'), forged);
    expect(asked).toEqual(['job demo/a', 'job other/a']);
    expect([...facts.keys()]).toEqual(['demo/a/uid-of-a', 'other/a/uid-of-a']);
  });

  it('has the restarts of all pods that have not ended, under OnFailure', async () => {
    const { gather, asked, slotsUsed } = gathering(present, [1, 0, 4]);
    const facts = await gather(stuck('a', { ...onFailure, restarts: 4 }));
    expect(asked).toEqual(['job demo/a', 'pods of demo/a']);
    expect(slotsUsed()).toBe(2);
    expect(facts.get('demo/a/uid-of-a')).toMatchObject({ kind: 'Known', restarts: 5 });
  });

  it('is nothing under OnFailure if its pods cannot be listed', async () => {
    const { gather } = gathering(present, 'Unlisted');
    expect((await gather(stuck('a', onFailure))).get('demo/a/uid-of-a')).toEqual({ kind: 'Unreadable' });
  });

  it.each<readonly [reading: JobReading, expected: object]>([
    [{ kind: 'Gone' }, { kind: 'Gone' }],
    [{ kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'is forbidden' } }, { kind: 'Unreadable' }],
    [{ kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } }, { kind: 'Unreadable' }],
  ])('does not need its pods if it reads %j', async (reading, expected) => {
    const { gather, asked } = gathering(reading);
    expect((await gather(stuck('a', onFailure))).get('demo/a/uid-of-a')).toEqual(expected);
    expect(asked).toEqual(['job demo/a']);
  });

  it('is not asked for pods without a Job of Kubernetes', async () => {
    const { gather, asked } = gathering();
    const volcano = candidate(podView({ owner: ownerOf('a', 'batch.volcano.sh') }));
    expect(await gather(candidate(podView({ owner: undefined })), volcano)).toEqual(new Map());
    expect(await gather()).toEqual(new Map());
    expect(asked).toEqual([]);
  });
});
