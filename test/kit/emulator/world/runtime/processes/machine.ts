import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Mode = { readonly kind: 'root' | 'rootless' } | { readonly kind: 'none'; readonly reason: string };

let mode: Mode | undefined;

export function processesMode(): Mode {
  mode ??= findMode();
  return mode;
}

function findMode(): Mode {
  if (process.platform !== 'linux')
    return { kind: 'none', reason: `needs Linux, but this is ${process.platform}` };
  if (!existsSync('/usr/bin/perl')) return { kind: 'none', reason: 'needs /usr/bin/perl' };
  const asRoot = process.getuid?.() === 0 ? probe('root') : 'not root';
  if (asRoot === undefined) return { kind: 'root' };
  const asUser = probe('rootless');
  if (asUser === undefined) return { kind: 'rootless' };
  return { kind: 'none', reason: `needs PID, mount and network namespaces (${asRoot}; ${asUser})` };
}

function probe(kind: 'root' | 'rootless'): string | undefined {
  const script = fileURLToPath(new URL('helpers/probe.pl', import.meta.url));
  const { status, stderr } = spawnSync('/usr/bin/perl', [script, kind], { encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}

/** Why this machine cannot run real processes; undefined if it can. */
export function processesAvailable(): string | undefined {
  const mode = processesMode();
  return mode.kind === 'none' ? mode.reason : undefined;
}

/** Why pods cannot share a PID namespace on this machine; undefined if they can. */
export function sharedPidNamespaceAvailable(): string | undefined {
  return processesAvailable() ?? (findCgroups() ? undefined : 'needs a writable cgroup hierarchy');
}

/** Why pods cannot reach the API server on this machine; undefined if they can. */
export function inClusterApiAvailable(): string | undefined {
  const isRootless = processesMode().kind === 'rootless';
  return isRootless
    ? 'pods can reach the API server only if the emulator runs as root'
    : processesAvailable();
}

/** Creates cgroups for containers, named as on a node. */
export interface Cgroups {
  /** Creates a cgroup. Its helper removes it after all its processes have ended. */
  create(id: string): string;
}

/**
 * A writable cgroup2 hierarchy, or else a named one of cgroup v1. Undefined if there is none: containers in a
 * shared PID namespace then cannot be told apart.
 */
export function findCgroups(): Cgroups | undefined {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const hierarchies = [
    ...mounts.filter(([, , type]) => type === 'cgroup2'),
    ...mounts.filter(([, , type, options]) => type === 'cgroup' && options?.includes('name=')),
  ];
  const parent = hierarchies.map(([, path]) => `${path}/k8s.io`).find(canCreate);
  if (parent === undefined) return undefined;
  return {
    create(id) {
      mkdirSync(`${parent}/${id}`, { recursive: true });
      return `${parent}/${id}`;
    },
  };
}

function canCreate(parent: string): boolean {
  try {
    // The parent may already exist and belong to another user.
    const probe = `${parent}/probe-${process.pid}`;
    mkdirSync(probe, { recursive: true });
    rmdirSync(probe);
  } catch {
    return false;
  }
  try {
    rmdirSync(parent);
  } catch {
    // Another emulator has cgroups in it.
  }
  return true;
}
