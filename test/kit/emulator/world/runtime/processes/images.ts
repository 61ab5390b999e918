import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const libraries = new Map<string, string[]>();
let modules: string[] | undefined;

function sharedLibraries(program: string): readonly string[] {
  const list = () => execFileSync('/usr/bin/ldd', [program], { encoding: 'utf8' });
  const paths = () => [...list().matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path]) => path ?? '');
  const known = libraries.get(program) ?? paths();
  libraries.set(program, known);
  return known;
}

/** The directories with the Perl modules that the programs use. */
export function perlModules(): readonly string[] {
  if (modules) return modules;
  const script = 'use strict; use warnings; use Socket; print join "\\n", @INC{qw(strict.pm Socket.pm)}';
  const files = execFileSync('/usr/bin/perl', ['-e', script], { encoding: 'utf8' }).split('\n');
  modules = [...new Set(files.map(dirname))].filter(existsSync);
  return modules;
}

export type RootEntry =
  /** A file or directory from the host or the repository, mounted read-only. */
  | { readonly kind: 'mount'; readonly path: string; readonly source: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly content: string;
      readonly executable?: boolean;
    };

export interface Image {
  readonly entrypoint?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Evaluated when the first container starts from it. */
  readonly root: () => readonly RootEntry[];
  /** The shell ignores SIGQUIT like busybox's; the host's does not. */
  readonly shellIgnoresQuit?: boolean;
}

export type Images = Readonly<Record<string, Image>>;

/** The images in the recordings, which are always available. */
export const builtInImages = {
  'docker.io/local/busybox:1': { root: hostSystem, shellIgnoresQuit: true },
  'docker.io/local/distroless-sidecar:1': perlImage(
    fileURLToPath(new URL('programs/distroless-sidecar.pl', import.meta.url)),
  ),
  'docker.io/local/nop:1': { entrypoint: ['/bin/sh'], root: noOpCommands },
  'docker.io/local/nopbare:1': { entrypoint: ['/nop'], root: () => hostProgram('/nop', '/usr/bin/true') },
  'docker.io/local/noop:1': { entrypoint: ['/nop'], root: () => hostProgram('/nop', '/usr/bin/true') },
  'registry.example.com/sidecar-sweeper-noop:0.1.0': { entrypoint: ['/nop'], root: noOpCommands },
} satisfies Images;

/** An image with one Perl program, without a shell or other commands. */
function perlImage(source: string): Image {
  return {
    entrypoint: ['/app/perl', '/app/main'],
    root: () => [
      ...hostProgram('/app/perl', '/usr/bin/perl'),
      ...perlModules().map((path) => ({ kind: 'mount' as const, path, source: path })),
      { kind: 'mount', path: '/app/main', source },
    ],
  };
}

export function hostProgram(path: string, source: string): RootEntry[] {
  return [
    { kind: 'mount', path, source },
    ...sharedLibraries(source).map((library) => ({ kind: 'mount' as const, path: library, source: library })),
  ];
}

/** The host's commands, with separate user and group files. */
function hostSystem(): RootEntry[] {
  const directories = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc/alternatives'];
  return [
    ...directories.filter(existsSync).map(sameAsHost),
    {
      kind: 'file',
      path: '/etc/passwd',
      content: 'root:x:0:0:root:/root:/bin/sh\nproxy:x:1337:1337::/:/bin/sh\n',
    },
    { kind: 'file', path: '/etc/group', content: 'root:x:0:\n' },
    { kind: 'file', path: '/etc/hosts', content: '127.0.0.1 localhost\n' },
  ];
}

/** On hosts with a merged /usr, /bin, /sbin and /lib are links. */
function sameAsHost(path: string): RootEntry {
  return lstatSync(path).isSymbolicLink()
    ? { kind: 'link', path, target: readlinkSync(path) }
    : { kind: 'mount', path, source: path };
}

/** Every command that a sidecar may run, each exiting 0 at once. */
function noOpCommands(): RootEntry[] {
  const names = ['sh', 'ash', 'bash', 'sleep', 'cat', 'tail', 'env', 'perl', 'python3', 'node', 'java'];
  const places = ['/bin', '/usr/bin', '/usr/local/bin'];
  return [
    ...hostProgram('/nop', '/usr/bin/true'),
    ...places.flatMap((place) =>
      names.map((name) => ({ kind: 'link' as const, path: `${place}/${name}`, target: '/nop' })),
    ),
  ];
}
