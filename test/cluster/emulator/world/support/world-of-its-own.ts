import { createWorld, emulatorClock } from '../../../../kit/emulator/index.ts';

// Runs a world in a separate process that a test kills. The argument marks the containers' processes.
const [, , marker] = process.argv;
const world = createWorld({ clock: emulatorClock(), runtime: 'processes' });
world.createPod({
  metadata: { name: 'pod', namespace: 'demo' },
  spec: {
    shareProcessNamespace: process.getuid?.() === 0,
    containers: ['main', 'sidecar'].map((name) => ({
      name,
      image: 'docker.io/local/busybox:1',
      command: ['sh', '-c', `trap "" TERM; while :; do sleep ${marker} & wait; done`],
    })),
  },
});
