import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

const libraries = new Map<string, string[]>();
let modules: string[] | undefined;

/** The paths of the shared libraries that a program on the host loads. */
export function sharedLibraries(program: string): readonly string[] {
  const known = libraries.get(program);
  if (known) return known;
  const listed = execFileSync('/usr/bin/ldd', [program], { encoding: 'utf8' });
  const found = [...listed.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path]) => path ?? '');
  libraries.set(program, found);
  return found;
}

/** The directories with the Perl modules that the programs use. */
export function perlModules(): readonly string[] {
  if (modules) return modules;
  const script = 'use strict; use warnings; use Socket; print join "\\n", @INC{qw(strict.pm Socket.pm)}';
  const files = execFileSync('/usr/bin/perl', ['-e', script], { encoding: 'utf8' }).split('\n');
  modules = [...new Set(files.map(dirname))].filter(existsSync);
  return modules;
}
