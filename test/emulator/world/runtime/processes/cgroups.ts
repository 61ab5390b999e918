import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';

/** Where containers get cgroups of their own, named as on a node. */
export interface Cgroups {
  /** A new cgroup; its helper takes it away when all in it has ended. */
  create(id: string): string;
}

/**
 * A cgroup2 hierarchy, or else the named one of cgroup v1, that may be written. Without one, processes of a shared
 * PID namespace could not be told apart: undefined.
 */
export function findCgroups(): Cgroups | undefined {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const hierarchies = [
    ...mounts.filter(([, , type]) => type === 'cgroup2'),
    ...mounts.filter(([, , type, options]) => type === 'cgroup' && options?.includes('name=')),
  ];
  for (const [, path] of hierarchies) {
    if (path && canCreate(`${path}/k8s.io`)) return cgroupsUnder(`${path}/k8s.io`);
  }
  return undefined;
}

function cgroupsUnder(parent: string): Cgroups {
  return {
    create(id) {
      mkdirSync(`${parent}/${id}`, { recursive: true });
      return `${parent}/${id}`;
    },
  };
}

function canCreate(parent: string): boolean {
  try {
    // The parent may be there already, and be somebody else's.
    const probe = `${parent}/probe-${process.pid}`;
    mkdirSync(probe, { recursive: true });
    rmdirSync(probe);
    removeIfEmpty(parent);
    return true;
  } catch {
    return false;
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another emulator has cgroups there.
  }
}
