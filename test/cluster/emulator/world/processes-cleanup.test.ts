import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWorld, emulatorClock, processesAvailable } from '../../../kit/emulator/index.ts';
import { describeUnless } from '../../../kit/needs.ts';
import { podManifest } from './support/light-cluster.ts';

/** Polls a condition on real processes. After the timeout it returns, so that the next assertion can fail. */
async function until(isSo: () => boolean | Promise<boolean>, longest = 60_000): Promise<void> {
  const end = performance.now() + longest;
  while (!(await isSo()) && performance.now() < end) await setTimeout(50);
}

const unavailable = processesAvailable();

describeUnless(unavailable, 'Real processes', () => {
  it('all end when the world stops', async () => {
    const marker = `41${process.pid}`;
    const world = createWorld({ clock: emulatorClock(), runtime: 'processes' });
    for (const name of ['one', 'two']) world.createPod(stubborn(marker, name));
    await until(() => processesWith(marker).length >= 4);
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(4);

    const helpers = childrenOf(process.pid);
    expect(helpers.length).toBeGreaterThanOrEqual(6);
    await world.stop();
    // The kernel takes a killed process down shortly after its cgroup was told to end.
    await until(() => processesWith(marker).length === 0);
    expect(processesWith(marker)).toEqual([]);
    expect(childrenOf(process.pid).filter((pid) => helpers.includes(pid))).toEqual([]);
    expect(mounts()).not.toContain('/runtime/processes/helpers');
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
function processesWith(marker: string): number[] {
  return pids().filter((pid) => commandLine(pid).startsWith(`sleep\0${marker}\0`));
}

function childrenOf(parent: number): number[] {
  return pids().filter((pid) => {
    const [, fields = ''] = read(`/proc/${pid}/stat`).split(') ');
    return fields.split(' ')[1] === String(parent);
  });
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function mounts(): string {
  return readFileSync('/proc/self/mounts', 'utf8');
}

/** Reads a file of /proc; empty if the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
