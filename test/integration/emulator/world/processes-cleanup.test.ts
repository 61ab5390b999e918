import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createWorld, emulatorClock, processesAvailable } from '../../../emulator/index.ts';
import { describeUnless } from '../../../needs.ts';
import { podManifest } from './support/light-cluster.ts';
import { until } from './support/until.ts';

const unavailable = processesAvailable();
const before = cgroups();

describeUnless(unavailable, 'Real processes', () => {
  it('all end when the world stops', async () => {
    const marker = `41${process.pid}`;
    const world = createWorld({ clock: emulatorClock(), runtime: 'processes' });
    for (const name of ['one', 'two']) world.createPod(stubborn(marker, name));
    await until(() => processesWith(marker).length >= 4, 10_000);
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(4);

    const helpers = childrenOf(process.pid);
    expect(helpers.length).toBeGreaterThanOrEqual(6);
    await world.stop();
    expect(processesWith(marker)).toEqual([]);
    expect(childrenOf(process.pid).filter((pid) => helpers.includes(pid))).toEqual([]);
    expect(mounts()).not.toContain('/runtime/processes/helpers');
  });

  it('all end when Node is killed', async () => {
    const marker = `42${process.pid}`;
    const script = fileURLToPath(new URL('support/world-of-its-own.ts', import.meta.url));
    const node = spawn(process.execPath, ['--import', 'tsx', script, marker], { stdio: 'ignore' });
    await until(() => processesWith(marker).length >= 2, 20_000);
    const groups = cgroups().filter((group) => !before.includes(group));
    expect(processesWith(marker).length).toBeGreaterThanOrEqual(2);

    node.kill('SIGKILL');
    await until(
      () => processesWith(marker).length === 0 && !groups.some((group) => cgroups().includes(group)),
      5_000,
    );
    expect(processesWith(marker)).toEqual([]);
    expect(cgroups().filter((group) => groups.includes(group))).toEqual([]);
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

/** The containers' processes, identified by a unique number in their command line. */
function processesWith(marker: string): number[] {
  return pids().filter((pid) => commandLine(pid).split('\0').includes(marker));
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

function cgroups(): string[] {
  const parents = ['/sys/fs/cgroup/unified/k8s.io', '/sys/fs/cgroup/k8s.io', '/sys/fs/cgroup/systemd/k8s.io'];
  return parents
    .filter(existsSync)
    .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`));
}

/** Reads a file of /proc; empty if the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
