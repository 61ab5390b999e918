import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { BEHAVIOUR_ANNOTATION, createWorld, steppedClock } from '../../../kit/emulator/index.ts';
import { lightCluster, podManifest, stateOf } from './support/light-cluster.ts';

const DONE = { ends: { exitCode: 0, after: 1_000 } };
/** Exits on each of these signals with the signal's number. */
const TELLS_SIGNALS = {
  on: {
    SIGINT: { exitCode: constants.signals.SIGINT },
    SIGQUIT: { exitCode: constants.signals.SIGQUIT },
    SIGTERM: { exitCode: constants.signals.SIGTERM },
  },
};

describe('A light container', () => {
  it.each<[readonly string[], NodeJS.Signals | undefined]>([
    [['/bin/sh', '-c', 'kill -15 1'], 'SIGTERM'],
    [['sh', '-c', ' kill  -3 1 '], 'SIGQUIT'],
    [['/bin/kill', '-s', 'INT', '1'], 'SIGINT'],
    [['kill', '-TERM', '1'], 'SIGTERM'],
    [['kill', '-SIGQUIT', '--', '1'], 'SIGQUIT'],
    [['kill', '-n', '2', '1'], 'SIGINT'],
    [['kill', '1'], 'SIGTERM'],
    [['sh', '-c', 'kill -15 -1'], undefined],
    [['kill', '-15', '11'], undefined],
    [['kill', '-99', '1'], undefined],
    [['sh', '-c', 'echo kill -15 1'], undefined],
    [['skill', '-15', '1'], undefined],
    [['sh'], undefined],
    [[], undefined],
  ])('treats %j as the signal %s', async (command, signal) => {
    const cluster = lightCluster({ sidecar: TELLS_SIGNALS });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(3_000);
    await cluster.run('sidecar', command);
    await cluster.clock.advance(1_000);
    const state = signal === undefined ? 'running' : `terminated ${constants.signals[signal]}`;
    expect(stateOf(cluster.pod(), 'sidecar')).toBe(state);
  });

  it('ends on a signal that it handles, after its delay', async () => {
    const cluster = lightCluster({
      main: DONE,
      sidecar: { on: { SIGTERM: { exitCode: 143, after: 2_000 } } },
    });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(3_000);
    await cluster.run('sidecar', ['sh', '-c', 'kill -15 1']);
    await cluster.clock.advance(1_900);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('terminated 143');
    expect(cluster.pod().status.phase).toBe('Failed');
  });

  it('without a shell fails an exec with the recorded message', async () => {
    const cluster = lightCluster({ sidecar: { shell: false } });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(3_000);
    await expect(cluster.run('sidecar', ['/bin/sh', '-c', 'kill -15 1'])).rejects.toThrow(
      /^error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "\/bin\/sh": stat \/bin\/sh: no such file or directory$/,
    );
  });

  it('ends on a request to its quit endpoint, and refuses other ports', async () => {
    const quit = { port: 15020, path: '/quitquitquit', exitCode: 0, after: 1_000 };
    const cluster = lightCluster({ main: DONE, sidecar: { quit } });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(3_000);
    const sandbox = cluster.world.kubelet.sandbox(cluster.pod().metadata.uid);
    await expect(sandbox?.connect(1)).rejects.toThrow('connection refused');
    const stream = await sandbox?.connect(15020);
    const answer = new Promise((resolve) => stream?.once('data', (chunk) => resolve(String(chunk))));
    stream?.write(
      'POST /quitquitquit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
    expect(await answer).toBe('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nOK\n');
    await cluster.clock.advance(3_000);
    expect(cluster.pod().status.phase).toBe('Succeeded');
  });

  it('behaves as declared in its pod’s annotation', async () => {
    const clock = steppedClock();
    const world = createWorld({ clock, runtime: 'light' });
    const manifest = podManifest();
    const annotations = {
      [BEHAVIOUR_ANNOTATION]: JSON.stringify({ main: { ends: { exitCode: 4, after: 1_000 } } }),
    };
    const pod = world.createPod({ ...manifest, metadata: { ...manifest.metadata, annotations } });
    await clock.advance(3_000);
    expect(world.kubelet.running(pod.metadata.uid, 'main')).toBeUndefined();
    expect(world.kubelet.running(pod.metadata.uid, 'sidecar')).toBeDefined();
    await world.stop();
  });
});
