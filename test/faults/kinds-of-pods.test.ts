import { describe, expect, it } from 'vitest';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import type { Job, Pod } from '../kit/emulator/index.ts';
import { podsOfJob } from '../kit/stuck-jobs.ts';
import { container, ownedBy, type StuckPod, sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { FaultyCluster, type Played, playOne, sentAmong, type Trouble } from './faulty-cluster.ts';
import { outcomeOf } from './streams.ts';

const cluster = FaultyCluster.startedOnce();

/** A policy that ends any pod that it may. */
const harsh = { lastResort: [{ deadline: true }, { delete: true }] };
const play = (trouble: Trouble) => playOne(cluster, 'D8', trouble);
const firstSidecar = ({ report }: Played) => report.pods.flatMap(sidecarsOf)[0];
const podOf = ({ store, namespace }: Played, name = 'pod-1') => store.get<Pod>('pods', namespace, name);
const hour = 3_600_000;
const podsWith = (pod: StuckPod) => (namespace: string) => [stuckPod({ ...pod, namespace, name: 'pod-1' })];
const over = { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - hour) } as const;

const native = container('native', { restartPolicy: 'Always' });
/** Catches TERM, and takes an hour. */
const deaf = {
  'emulator.sidecar-sweeper.dev/behaviour': JSON.stringify({
    sidecar: sidecars.clean,
    native: sidecars.stubborn,
  }),
};

describe('D8: a native sidecar that is deaf to TERM', () => {
  it('gets nothing from a sweep, which says that it holds the pod', async () => {
    const played = await play({
      policy: harsh,
      pods(namespace) {
        const spec = { initContainers: [native], containers: [container('main')] };
        const { manifest } = stuckPod({ namespace, name: 'pod-1', annotations: deaf, grace: 3_600, spec });
        const runs = { kind: 'running', startedAt: new Date(Date.now() - hour) } as const;
        return [{ manifest, states: { main: over, native: runs } }];
      },
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.hanging).toMatchObject([
      { name: 'pod-1', hang: { kind: 'NativeSidecarRunsOn', container: 'native' } },
    ]);
  });

  it('is left to the kubelet, which kills it when the sweep has ended the others', async () => {
    const played = await play({
      pods: podsWith({ spec: { initContainers: [native] }, annotations: deaf, grace: 5 }),
    });
    expect(outcomeOf(played)).toBe('Stopped 0');
    expect(sentAmong(played.requests).filter((path) => path.includes('container=native'))).toEqual([]);
    expect(podOf(played)?.status.phase).toBe('Succeeded');
  });
});

describe('D8: a pod with', () => {
  const debug = { ephemeralContainers: [{ ...container('debugger-x'), targetContainerName: 'sidecar' }] };

  it('a debug container that runs is swept, and that gets nothing', async () => {
    const played = await play({ pods: podsWith({ spec: debug }) });
    expect(outcomeOf(played)).toBe('Stopped 0');
    expect(sentAmong(played.requests).filter((path) => path.includes('debugger-x'))).toEqual([]);
    expect(podOf(played)?.status.phase).toBe('Succeeded');
    expect(played.report.pods[0]?.containers.map(({ name }) => name)).not.toContain('debugger-x');
  });

  it('nothing but a debug container that runs is not stuck', async () => {
    const played = await play({ policy: harsh, pods: podsWith({ spec: debug, states: { sidecar: over } }) });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.pods).toEqual([]);
  });

  it.each([
    { annotations: { 'kubernetes.io/config.mirror': 'a1b2' } },
    { metadata: ownedBy('Node', 'node1', 'n', 'v1') },
  ])('the mark of a static pod, %j, gets nothing, whatever the last resort', async (pod) => {
    const played = await cluster.play({ policy: harsh, pods: podsWith(pod) });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.totals.excludedBecause).toMatchObject({ StaticPod: 1 });
  });

  const kill = { 'sidecar-sweeper.dev/kill-cmd-sidecar': '["sh","-c","kill -%d 1"]' };
  const beside = { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] };

  it.each([
    ['', {}],
    [' and a kill command', kill],
  ])('hostPID%s gets no signal, which would reach the node', async (_title, annotations) => {
    const played = await play({ policy: beside, pods: podsWith({ spec: { hostPID: true }, annotations }) });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(firstSidecar(played)?.outcome).toEqual({ kind: 'Skipped', reason: { kind: 'NoWay' } });
    expect(played.exitCode).toBe(4);
  });

  it.each([
    ['', {}],
    [' and a kill command for PID 1', kill],
  ])('shareProcessNamespace%s loses its sidecar, and not its sandbox', async (_title, annotations) => {
    const played = await play({
      policy: beside,
      pods: podsWith({ spec: { shareProcessNamespace: true }, annotations }),
    });
    expect([outcomeOf(played), podOf(played)?.status.phase]).toEqual(['Stopped 0', 'Succeeded']);
    expect(firstSidecar(played)?.attempts.map(({ does }) => does)).toEqual(['signal TERM']);
  });
});

/** No exit code is known of these sidecars. */
const playJobs = (trouble: Trouble) =>
  playOne(cluster, 'D8', { flags: { uncleanExit: 'allow' }, ...trouble });
const podsOf =
  (job: Parameters<typeof podsOfJob>[1]): NonNullable<Trouble['pods']> =>
  (namespace, { world }) =>
    podsOfJob(world, { ...job, namespace });
const jobOf = ({ store, namespace }: Played) => store.get<Job>('jobs', namespace, 'work');
const conditionsOf = (played: Played) => jobOf(played)?.status.conditions?.map(({ type }) => type);

describe('D8: a container that no catalogue knows', () => {
  const unknown = { pod: { annotations: { 'sidecar-sweeper.dev/sidecars': '' } }, injected: 'sidecar' };

  it.each([
    ['with 0', sidecars.clean, 'Stopped 0'],
    ['uncleanly', sidecars.unclean, 'Stopped 143'],
  ])('and that a webhook added, ends %s, and its Job is as it says', async (_title, sidecar, outcome) => {
    const played = await playJobs({ pods: podsOf({ ...unknown, pod: { ...unknown.pod, sidecar } }) });
    expect(outcomeOf(played, 'pod-0')).toBe(outcome);
    expect(firstSidecar(played)?.because).toEqual({ kind: 'NotInJobTemplate', job: 'work' });
    expect(played.report.pods[0]?.harm !== undefined).toBe(outcome !== 'Stopped 0');
  });

  it('and that its Job has in its template, is a main that runs', async () => {
    const played = await cluster.play({ policy: harsh, pods: podsOf({ pod: unknown.pod }) });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.pods).toEqual([]);
    expect(played.exitCode).toBe(0);
  });

  it('is left alone if the Job may not be read', async () => {
    const played = await cluster.play({
      policy: harsh,
      pods: podsOf(unknown),
      trouble: (namespace, { faults }) =>
        void faults.add({ namespace, resource: 'jobs' }, { kind: 'Answer', status: 403 }),
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.warnings.map(({ kind }) => kind)).toContain('JobsUnreadable');
  });
});

describe('D8: the stuck pods of a Job', () => {
  it('that is Indexed all end, and it is complete without another run', async () => {
    const played = await playJobs({ pods: podsOf({ pods: 3, spec: { completionMode: 'Indexed' } }) });
    expect(played.report.totals.pods).toEqual({ Ended: 3 });
    expect(conditionsOf(played)).toContain('Complete');
    expect(jobOf(played)?.status['completedIndexes']).toBe('0-2');
    expect(played.store.list('pods', played.namespace)).toHaveLength(3);
  });

  it.each(['Never', 'OnFailure'] as const)(
    'that needs only some indexes are gone or ended when it has these (%s)',
    async (restartPolicy) => {
      const successPolicy = { rules: [{ succeededIndexes: '0' }] };
      const spec = { completionMode: 'Indexed', successPolicy } as const;
      const played = await playJobs({ pods: podsOf({ pods: 3, pod: { restartPolicy }, spec }) });
      expect(played.exitCode).toBe(0);
      expect(conditionsOf(played)).toContain('Complete');
      expect(played.report.pods.flatMap(({ harm }) => harm ?? [])).toEqual([]);
    },
  );

  it('that is suspended before any of its requests are not lost', async () => {
    for (const skip of [0, 1, 2, 3, 4, 5, 6]) {
      const played = await playJobs({
        pods: podsOf({ pods: 2, pod: { grace: 5 } }),
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
