import { describe, expect, it } from 'vitest';
import type { Job } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { podsOfJob } from '../kit/stuck-jobs.ts';
import { sidecars } from '../kit/stuck-pods.ts';
import { playOne } from './every-request.ts';
import { FaultyCluster, type Played, type Trouble } from './faulty-cluster.ts';
import { sentAmong, sidecarsOf } from './read-case.ts';
import { outcomeOf } from './streams.ts';
import { harsh } from './ways.ts';

const cluster = startedOnce(() => FaultyCluster.start());

/** No exit code is known of these sidecars. */
const play = (trouble: Trouble) => playOne(cluster, 'D8', { flags: { uncleanExit: 'allow' }, ...trouble });
const firstSidecar = ({ report }: Played) => report.pods.flatMap(sidecarsOf)[0];
const jobOf = ({ store, namespace }: Played) => store.get<Job>('jobs', namespace, 'work');
const conditionsOf = (played: Played) => jobOf(played)?.status.conditions?.map(({ type }) => type);

describe('D8: a container that no catalogue knows', () => {
  const unknown = { pod: { annotations: { 'sidecar-sweeper.dev/sidecars': '' } }, injected: 'sidecar' };

  it.each([
    ['with 0', sidecars.clean, 'Stopped 0'],
    ['uncleanly', sidecars.unclean, 'Stopped 143'],
  ])('and that a webhook added, ends %s, and its Job is as it says', async (_title, sidecar, outcome) => {
    const played = await play({
      pods: (namespace, { world }) =>
        podsOfJob(world, { ...unknown, namespace, pod: { ...unknown.pod, sidecar } }),
    });
    expect(outcomeOf(played, 'pod-0')).toBe(outcome);
    expect(firstSidecar(played)?.because).toEqual({ kind: 'NotInJobTemplate', job: 'work' });
    expect(played.report.pods[0]?.harm !== undefined).toBe(outcome !== 'Stopped 0');
  });

  it('and that its Job has in its template, is a main that runs', async () => {
    const played = await cluster.play({
      policy: harsh,
      pods: (namespace, { world }) => podsOfJob(world, { namespace, pod: unknown.pod }),
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.pods).toEqual([]);
    expect(played.exitCode).toBe(0);
  });

  it('is left alone if the Job may not be read', async () => {
    const played = await cluster.play({
      policy: harsh,
      pods: (namespace, { world }) => podsOfJob(world, { ...unknown, namespace }),
      trouble: (namespace, { faults }) =>
        void faults.add({ namespace, resource: 'jobs' }, { kind: 'Answer', status: 403 }),
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.warnings.map(({ kind }) => kind)).toContain('JobsUnreadable');
  });
});

describe('D8: the stuck pods of a Job', () => {
  it('that is Indexed all end, and it is complete without another run', async () => {
    const played = await play({
      pods: (namespace, { world }) =>
        podsOfJob(world, { namespace, pods: 3, spec: { completionMode: 'Indexed' } }),
    });
    expect(played.report.totals.pods).toEqual({ Ended: 3 });
    expect(conditionsOf(played)).toContain('Complete');
    expect(jobOf(played)?.status['completedIndexes']).toBe('0-2');
    expect(played.store.list('pods', played.namespace)).toHaveLength(3);
  });

  it.each(['Never', 'OnFailure'] as const)(
    'that needs only some indexes are gone or ended when it has these (%s)',
    async (restartPolicy) => {
      const played = await play({
        pods: (namespace, { world }) =>
          podsOfJob(world, {
            namespace,
            pods: 3,
            pod: { restartPolicy },
            spec: { completionMode: 'Indexed', successPolicy: { rules: [{ succeededIndexes: '0' }] } },
          }),
      });
      expect(played.exitCode).toBe(0);
      expect(conditionsOf(played)).toContain('Complete');
      expect(played.report.pods.flatMap(({ harm }) => harm ?? [])).toEqual([]);
    },
  );

  it('that is suspended before any of its requests are not lost', async () => {
    for (const skip of [0, 1, 2, 3, 4, 5, 6]) {
      const played = await play({
        pods: (namespace, { world }) => podsOfJob(world, { namespace, pods: 2, pod: { grace: 5 } }),
        trouble(namespace, { faults, world }) {
          const run = () =>
            void world.store.update<Job>('jobs', namespace, 'work', (job) => ({
              ...job,
              spec: { ...job.spec, suspend: true },
            }));
          faults.add({ namespace }, { kind: 'Before', run }, { skip, times: 1 });
        },
      });
      const outcomes = played.report.pods.map(({ outcome }) => outcome.kind);
      expect(
        outcomes.every((kind) => ['Ended', 'Gone', 'Skipped'].includes(kind)),
        `${skip}: ${outcomes}`,
      ).toBe(true);
      expect([jobOf(played)?.spec.suspend, played.exitCode], `${skip}: ${outcomes}`).toEqual([true, 0]);
    }
  });
});
