import { describe, expect, it } from 'vitest';
import type { Pod } from '../kit/emulator/index.ts';
import { startedOnce } from '../kit/started.ts';
import { type StuckPod, sidecars, stuckPod } from '../kit/stuck-pods.ts';
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
const busybox = 'docker.io/local/busybox:1';

/** A stuck pod with additions to its spec. */
function stuckWith(namespace: string, spec: object, pod: StuckPod = {}) {
  const { manifest, states } = stuckPod({ ...pod, namespace, name: 'pod-1' });
  return { manifest: { ...manifest, spec: { ...manifest.spec, ...spec } }, states };
}

const native = { name: 'native', image: busybox, restartPolicy: 'Always' as const };
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
      pods: (namespace) => {
        const { manifest, states } = stuckWith(
          namespace,
          { initContainers: [native] },
          { annotations: deaf, grace: 3_600 },
        );
        const containers = manifest.spec.containers.filter(({ name }) => name === 'main');
        const { main } = states;
        return [
          {
            manifest: { ...manifest, spec: { ...manifest.spec, containers } },
            states: {
              ...(main && { main }),
              native: { kind: 'running', startedAt: new Date(Date.now() - hour) },
            },
          },
        ];
      },
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.hanging).toMatchObject([
      { name: 'pod-1', hang: { kind: 'NativeSidecarRunsOn', container: 'native' } },
    ]);
  });

  it('is left to the kubelet, which kills it when the sweep has ended the others', async () => {
    const played = await play({
      pods: (namespace) => [
        stuckWith(namespace, { initContainers: [native] }, { annotations: deaf, grace: 5 }),
      ],
    });
    expect(outcomeOf(played)).toBe('Stopped 0');
    expect(sentAmong(played.requests).filter((path) => path.includes('container=native'))).toEqual([]);
    expect(podOf(played)?.status.phase).toBe('Succeeded');
  });
});

describe('D8: a pod with', () => {
  const debug = {
    ephemeralContainers: [{ name: 'debugger-x', image: busybox, targetContainerName: 'sidecar' }],
  };

  it('a debug container that runs is swept, and that gets nothing', async () => {
    const played = await play({ pods: (namespace) => [stuckWith(namespace, debug)] });
    expect(outcomeOf(played)).toBe('Stopped 0');
    expect(sentAmong(played.requests).filter((path) => path.includes('debugger-x'))).toEqual([]);
    expect(podOf(played)?.status.phase).toBe('Succeeded');
    expect(played.report.pods[0]?.containers.map(({ name }) => name)).not.toContain('debugger-x');
  });

  it('nothing but a debug container that runs is not stuck', async () => {
    const played = await play({
      policy: harsh,
      pods: (namespace) => {
        const { manifest, states } = stuckWith(namespace, debug);
        const { main } = states;
        return [{ manifest, states: { ...states, ...(main && { sidecar: main }) } }];
      },
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.pods).toEqual([]);
  });

  it.each([
    { annotations: { 'kubernetes.io/config.mirror': 'a1b2' } },
    { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'node1', uid: 'n', controller: true }] },
  ])('the mark of a static pod, %j, gets nothing, whatever the last resort', async (metadata) => {
    const played = await cluster.play({
      policy: harsh,
      pods: (namespace) => {
        const { manifest, states } = stuckWith(namespace, {});
        const annotations = { ...manifest.metadata.annotations, ...metadata.annotations };
        return [
          { manifest: { ...manifest, metadata: { ...manifest.metadata, ...metadata, annotations } }, states },
        ];
      },
    });
    expect(sentAmong(played.requests)).toEqual([]);
    expect(played.report.totals.excludedBecause).toMatchObject({ StaticPod: 1 });
  });

  const kill = { 'sidecar-sweeper.dev/kill-cmd-sidecar': '["sh","-c","kill -%d 1"]' };
  const beside = { lastResort: [{ ephemeralContainer: { image: busybox } }] };

  it.each([
    ['', {}, { kind: 'NoWay' }],
    [' and a kill command', kill, { kind: 'HostPID' }],
  ])('hostPID%s gets no signal, which would reach the node', async (_title, annotations, reason) => {
    const played = await play({
      policy: beside,
      pods: (namespace) => [stuckWith(namespace, { hostPID: true }, { annotations })],
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
      pods: (namespace) => [stuckWith(namespace, { shareProcessNamespace: true }, { annotations })],
    });
    expect([outcomeOf(played), podOf(played)?.status.phase]).toEqual(['Stopped 0', 'Succeeded']);
    expect(firstSidecar(played)?.attempts.map(({ does }) => does)).toEqual(['signal TERM']);
  });
});
