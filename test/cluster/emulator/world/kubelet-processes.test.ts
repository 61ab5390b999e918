import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Container,
  createWorld,
  emulatorClock,
  type Pod,
  processesAvailable,
  sharedPidNamespaceAvailable,
  type World,
} from '../../../kit/emulator/index.ts';
import { describeUnless } from '../../../kit/needs.ts';
import { NAMESPACE, podManifest, stateOf } from './support/light-cluster.ts';
import { run } from './support/process-sandbox.ts';
import { until } from './support/until.ts';

const LOOP = 'while :; do sleep 0.1; done';
const unavailable = processesAvailable() ?? sharedPidNamespaceAvailable();

describeUnless(unavailable, 'The kubelet, with real processes', () => {
  let world: World;
  beforeAll(() => {
    world = createWorld({ clock: emulatorClock(), runtime: 'processes' });
  });
  afterAll(() => world.stop());

  it('waits for the preStop hook before the stop signal', async () => {
    const pod = await started('hook', {
      main: { script: 'exit 0' },
      sidecar: {
        script: `trap "echo signalled after; ls /tmp; exit 0" TERM; ${LOOP}`,
        lifecycle: {
          preStop: { exec: { command: ['sh', '-c', 'sleep 0.5; touch /tmp/hook'] } },
        },
      },
    });
    const sidecar = running(pod, 'sidecar');
    await until(() => stateOf(now(pod), 'main') === 'terminated 0');
    swap(pod, 'docker.io/local/nop:1');
    expect(await sidecar.exited).toEqual({ exitCode: 0 });
    expect(sidecar.logs()).toBe('signalled after\nhook\n');
    await until(() => now(pod).status.phase === 'Succeeded');
    expect(now(pod).status.phase).toBe('Succeeded');
  });

  it('keeps the logs of a container’s current and previous run, but not across an image change', async () => {
    const pod = await started('logs', {
      main: { script: `echo run; ${LOOP}` },
      sidecar: { script: `echo old; trap "exit 0" TERM; ${LOOP}` },
    });
    const logs = (container: string, previous: boolean) =>
      world.kubelet.logs(pod.metadata.uid, container, previous)?.text();
    await until(() => logs('main', false) === 'run\n' && logs('sidecar', false) === 'old\n');
    expect([logs('main', true), logs('sidecar', true)]).toEqual([undefined, undefined]);

    running(pod, 'main').kill('SIGKILL');
    swap(pod, 'docker.io/local/nop:1');
    await until(() => restarts(pod, 'main') === 1 && restarts(pod, 'sidecar') === 1);
    expect(logs('main', true)).toBe('run\n');
    expect([logs('sidecar', false), logs('sidecar', true)]).toEqual(['', undefined]);
    expect(world.kubelet.logs(pod.metadata.uid, 'nosuch', false)).toBeUndefined();
  });

  it('creates a new sandbox for a restarting pod whose shared PID 1 was killed', async () => {
    const pod = await started('renewed', { main: { script: LOOP }, sidecar: { script: LOOP } }, true);
    const ip = now(pod).status['podIP'];
    await run(running(pod, 'sidecar'), ['sh', '-c', 'kill -15 1']);
    await until(() => restarts(pod, 'main') === 1 && restarts(pod, 'sidecar') === 1);
    expect(['main', 'sidecar'].map((name) => stateOf(now(pod), name))).toEqual(['running', 'running']);
    expect(now(pod).status.containerStatuses?.[0]?.lastState.terminated?.exitCode).toBe(137);
    expect(now(pod).status['podIP']).not.toBe(ip);
    expect((await run(running(pod, 'sidecar'), ['cat', '/proc/1/cmdline'])).stdout).toBe('/pause\0');
  });

  it('runs a program from a volume, whatever the image', async () => {
    world.store.create('configmaps', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'tools', namespace: NAMESPACE },
      data: { agent: '#!/usr/bin/perl\nexit 3;\n', notes: 'no program' },
    });
    const container = (name: string, program: string): Container => ({
      name,
      image: 'docker.io/local/busybox:1',
      command: [program],
      volumeMounts: [{ name: 'tools', mountPath: '/tools' }],
    });
    const pod = world.createPod(
      podManifest(
        {
          volumes: [
            {
              name: 'tools',
              configMap: {
                name: 'tools',
                items: [
                  { key: 'agent', path: 'agent', mode: 0o755 },
                  { key: 'notes', path: 'notes' },
                ],
              },
            },
          ],
          containers: [container('agent', '/tools/agent'), container('notes', '/tools/notes')],
        },
        'volume',
      ),
    );
    await until(() => now(pod).status.phase === 'Failed', 10_000);
    expect(stateOf(now(pod), 'agent')).toBe('terminated 3');
    expect(stateOf(now(pod), 'notes')).toBe('terminated 128');
  });

  type Programs = Record<'main' | 'sidecar', Partial<Container> & { readonly script: string }>;

  async function started(name: string, programs: Programs, shared = false): Promise<Pod> {
    const containers = Object.entries(programs).map(([container, { script, ...rest }]) => ({
      name: container,
      image: 'docker.io/local/busybox:1',
      command: ['sh', '-c', script],
      ...rest,
    }));
    const restartPolicy = name === 'hook' ? 'Never' : 'OnFailure';
    const spec = { containers, restartPolicy, ...(shared ? { shareProcessNamespace: true } : {}) } as const;
    const pod = world.createPod(podManifest(spec, name));
    await until(() => now(pod).status.phase === 'Running');
    return pod;
  }

  function now(pod: Pod): Pod {
    return world.store.get<Pod>('pods', NAMESPACE, pod.metadata.name) ?? pod;
  }

  function running(pod: Pod, container: string) {
    const found = world.kubelet.running(pod.metadata.uid, container);
    if (!found) throw new Error(`${container} is not running`);
    return found;
  }

  function restarts(pod: Pod, container: string): number | undefined {
    return now(pod).status.containerStatuses?.find(({ name }) => name === container)?.restartCount;
  }

  function swap(pod: Pod, image: string): void {
    world.store.update<Pod>('pods', NAMESPACE, pod.metadata.name, (current) => ({
      ...current,
      spec: {
        ...current.spec,
        containers: current.spec.containers.map((each) =>
          each.name === 'sidecar' ? { ...each, image } : each,
        ),
      },
    }));
  }
});
