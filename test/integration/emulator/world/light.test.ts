import { describe, expect, it } from 'vitest';
import { steppedClock } from '../../../emulator/clock.ts';
import { BEHAVIOUR_ANNOTATION } from '../../../emulator/world/runtime/light/behaviour.ts';
import { signalToInit } from '../../../emulator/world/runtime/light/kill-command.ts';
import { createWorld } from '../../../emulator/world/world.ts';
import { lightCluster, podManifest, stateOf } from './support/light-cluster.ts';

const DONE = { ends: { exitCode: 0, after: 1_000 } };

describe('A light container', () => {
  it.each<[readonly string[], string | undefined]>([
    [['/bin/sh', '-c', 'kill -15 1'], 'SIGTERM'],
    [['sh', '-c', ' kill  -9 1 '], 'SIGKILL'],
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
  ])('hears in %j the signal %s', (command, signal) => {
    expect(signalToInit(command)).toBe(signal);
  });

  it('ends on a signal it has a handler for, after the time it takes', async () => {
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

  it('drops a signal it has no handler for, and SIGKILL from inside always', async () => {
    const cluster = lightCluster({ main: DONE, sidecar: { on: { SIGKILL: { exitCode: 137 } } } });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(3_000);
    await cluster.run('sidecar', ['sh', '-c', 'kill -15 1']);
    await cluster.run('sidecar', ['sh', '-c', 'kill -9 1']);
    await cluster.clock.advance(10_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('running');
  });

  it('takes its pod with it when PID 1 is the shared sandbox', async () => {
    const cluster = lightCluster({ main: DONE, sidecar: { on: {} } });
    cluster.world.createPod(podManifest({ shareProcessNamespace: true }));
    await cluster.clock.advance(3_000);
    await cluster.run('sidecar', ['sh', '-c', 'kill -15 1']);
    await cluster.clock.advance(3_000);
    expect(stateOf(cluster.pod(), 'sidecar')).toBe('terminated 137');
    expect(cluster.pod().status.phase).toBe('Failed');
  });

  it('without a shell says so in the words of the recording', async () => {
    const cluster = lightCluster({ sidecar: { shell: false } });
    cluster.world.createPod(podManifest());
    await cluster.clock.advance(3_000);
    await expect(cluster.run('sidecar', ['/bin/sh', '-c', 'kill -15 1'])).rejects.toThrow(
      /^error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "\/bin\/sh": stat \/bin\/sh: no such file or directory$/,
    );
  });

  it('ends when its quit endpoint is asked to, and refuses other ports', async () => {
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

  it('does what an annotation of its pod says', async () => {
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
