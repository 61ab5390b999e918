import { describe, expect, it } from 'vitest';
import type { Pod } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { container, ownedBy, type StuckPod, sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { playOne } from './every-request.ts';
import { FaultyCluster, type Played, type Trouble } from './faulty-cluster.ts';
import { sentAmong, sidecarsOf } from './read-case.ts';
import { outcomeOf } from './streams.ts';
import { harsh } from './ways.ts';

const cluster = startedOnce(() => FaultyCluster.start());

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
  const debug = {
    ephemeralContainers: [{ ...container('debugger-x'), targetContainerName: 'sidecar' }],
  };

  it('a debug container that runs is swept, and that gets nothing', async () => {
    const played = await play({ pods: podsWith({ spec: debug }) });
    expect(outcomeOf(played)).toBe('Stopped 0');
    expect(sentAmong(played.requests).filter((path) => path.includes('debugger-x'))).toEqual([]);
    expect(podOf(played)?.status.phase).toBe('Succeeded');
    expect(played.report.pods[0]?.containers.map(({ name }) => name)).not.toContain('debugger-x');
  });

  it('nothing but a debug container that runs is not stuck', async () => {
    const played = await play({
      policy: harsh,
      pods: podsWith({ spec: debug, states: { sidecar: over } }),
    });
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
    ['', {}, { kind: 'NoWay' }],
    [' and a kill command', kill, { kind: 'HostPID' }],
  ])('hostPID%s gets no signal, which would reach the node', async (_title, annotations, reason) => {
    const played = await play({
      policy: beside,
      pods: podsWith({ spec: { hostPID: true }, annotations }),
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(firstSidecar(played)?.outcome).toEqual({ kind: 'Skipped', reason });
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
