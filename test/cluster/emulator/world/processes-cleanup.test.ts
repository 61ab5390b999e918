import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { childrenOf } from '../../../builders/pid-namespace.ts';
import { createWorld, emulatorClock, processesAvailable } from '../../../kit/emulator/index.ts';
import { describeUnless } from '../../../kit/needs.ts';
import { podManifest } from './support/light-cluster.ts';

const patient = { timeout: 60_000 };

describeUnless(processesAvailable(), 'Real processes', () => {
  it('all end when the world stops', async () => {
    const marker = `41${process.pid}`;
    const world = createWorld({ clock: emulatorClock(), runtime: 'processes' });
    for (const name of ['one', 'two']) world.createPod(stubborn(marker, name));
    await vi.waitFor(() => expect(processesWith(marker).length).toBeGreaterThanOrEqual(4), patient);

    const helpers = childrenOf(process.pid);
    expect(helpers.length).toBeGreaterThanOrEqual(6);
    await world.stop();
    // The kernel takes a killed process down shortly after its cgroup was told to end, and Node collects its own children after that.
    await vi.waitFor(() => expect(processesWith(marker)).toEqual([]), patient);
    const left = () => childrenOf(process.pid).filter((pid) => helpers.includes(pid));
    await vi.waitFor(() => expect(left()).toEqual([]), patient);
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain('/runtime/processes/helpers');
  });
});

function stubborn(marker: string, name: string) {
  const containers = ['main', 'sidecar'].map((container) => ({
    name: container,
    image: 'docker.io/local/busybox:1',
    command: ['sh', '-c', `trap "" TERM; while :; do sleep ${marker} & wait; done`],
  }));
  return podManifest({ containers }, name);
}

/** The containers' processes, identified by a unique number in their command line, which Node's own has as well. */
function processesWith(marker: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`sleep\0${marker}\0`);
    } catch {
      // It is no process, or has ended meanwhile.
      return false;
    }
  });
}
