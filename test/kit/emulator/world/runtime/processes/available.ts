import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How this machine can run containers: as root, in a user namespace, or not, with the reason. */
export type Mode =
  | { readonly kind: 'root' }
  | { readonly kind: 'rootless' }
  | { readonly kind: 'none'; readonly reason: string };

let mode: Mode | undefined;

/** Determines the mode by trying. */
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
