import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { perlModules, sharedLibraries } from './host-files.ts';

/** One thing in an image's root file system. */
export type RootEntry =
  /** A file or directory of the host or the repository, read-only. */
  | { readonly kind: 'mount'; readonly path: string; readonly source: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'file'; readonly path: string; readonly content: string };

/** An image that containers can be started from: it has what is listed, and nothing else. */
export interface Image {
  readonly entrypoint?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Listed when a container is first started from it. */
  readonly root: () => readonly RootEntry[];
  /** A shell like busybox's, which ignores SIGQUIT, where the host's would not. */
  readonly shellIgnoresQuit?: boolean;
}

/** Images by name. */
export type Images = Readonly<Record<string, Image>>;

/** The images that are always there: those of the recordings. */
export const builtInImages: Images = {
  'docker.io/local/busybox:1': { root: hostSystem, shellIgnoresQuit: true },
  'docker.io/local/distroless-sidecar:1': perlImage(
    fileURLToPath(new URL('programs/distroless-sidecar.pl', import.meta.url)),
  ),
  'docker.io/local/nop:1': { entrypoint: ['/bin/sh'], root: noOpCommands },
  'docker.io/local/nopbare:1': { entrypoint: ['/nop'], root: () => program('/nop', '/usr/bin/true') },
};

/** An image with one Perl program and neither shell nor other commands. */
export function perlImage(source: string): Image {
  return {
    entrypoint: ['/app/perl', '/app/main'],
    root: () => [
      ...program('/app/perl', '/usr/bin/perl'),
      ...perlModules().map((path) => ({ kind: 'mount' as const, path, source: path })),
      { kind: 'mount', path: '/app/main', source },
    ],
  };
}

/** A program of the host at some path, with the shared libraries it needs at theirs. */
export function program(path: string, source: string): RootEntry[] {
  return [
    { kind: 'mount', path, source },
    ...sharedLibraries(source).map((library) => ({ kind: 'mount' as const, path: library, source: library })),
  ];
}

/** What the host has in the way of commands, with users of its own. */
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

/** On a merged /usr, /bin and its kin are links. */
function sameAsHost(path: string): RootEntry {
  return lstatSync(path).isSymbolicLink()
    ? { kind: 'link', path, target: readlinkSync(path) }
    : { kind: 'mount', path, source: path };
}

/** Every command that a sidecar may have been told to run is there, and exits 0 at once. */
function noOpCommands(): RootEntry[] {
  const names = ['sh', 'ash', 'bash', 'sleep', 'cat', 'tail', 'env', 'perl', 'python3', 'node', 'java'];
  const places = ['/bin', '/usr/bin', '/usr/local/bin'];
  return [
    ...program('/nop', '/usr/bin/true'),
    ...places.flatMap((place) =>
      names.map((name) => ({ kind: 'link' as const, path: `${place}/${name}`, target: '/nop' })),
    ),
  ];
}
