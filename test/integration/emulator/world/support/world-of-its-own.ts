import { emulatorClock } from '../../../../emulator/clock.ts';
import { createWorld } from '../../../../emulator/world/world.ts';

// A world in a process of its own, for a test that kills it. Its argument marks its containers' processes.
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
