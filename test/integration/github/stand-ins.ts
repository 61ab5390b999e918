import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { root } from './project-files.ts';

/** A program that a run line called, in place of which a stand-in wrote this down. */
export interface Call {
  readonly program: string;
  readonly args: readonly string[];
  /** What it found in `NOTHING_SKIPPED`. */
  readonly nothingSkipped: string;
}

export interface LineRun {
  readonly exitCode: number;
  readonly stderr: string;
  readonly calls: readonly Call[];
  /** What it left in the runner's folder for temporary files. */
  readonly files: Readonly<Record<string, string>>;
}

/** They need a network, another machine or a whole test suite. */
const programs = ['apt-get', 'cosign', 'docker', 'gh', 'kind', 'npm'];

/** What `docker buildx imagetools inspect` prints. */
export const digest = `sha256:${'0'.repeat(64)}`;

/** What GitHub says of the tag of a release. */
const released = { GITHUB_REF_NAME: `v${packageJson.version}`, GITHUB_SHA: '0'.repeat(40) };

/** What a shell needs to get to them, and what needs nothing but files. */
const real = ['bash', 'env', 'dirname', 'sed', 'sha256sum'];

/** What `npm pack` leaves where it is told to. */
const archive = `sidecar-sweeper-${packageJson.version}.tgz`;

/** Runs a line as GitHub's runners do, on a machine that has nothing but a shell and the stand-ins. */
export async function runLine(line: string, env: Readonly<Record<string, string>> = {}): Promise<LineRun> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-run-line-'));
  const bin = join(folder, 'bin');
  const temp = join(folder, 'temp');
  const written = join(folder, 'calls');
  try {
    await layMachine(folder, bin);
    await mkdir(temp);
    await writeFile(written, '');
    const ofRunner = { RUNNER_TEMP: temp, PATH: bin, CALLS: written };
    const run = await runShell(line, { ...released, ...env, ...ofRunner });
    const calls = (await readFile(written, 'utf8')).split('\n').slice(0, -1);
    return { ...run, calls: calls.map(readCall), files: await readAll(temp) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function layMachine(folder: string, bin: string): Promise<void> {
  const secure = join(folder, 'secure');
  await mkdir(bin);
  await mkdir(secure);
  for (const name of real) await symlink(whereIs(name), join(bin, name));
  await symlink(whereIs('env'), join(secure, 'env'));
  const writesDown = `IFS='\t'; set -- "\${0##*/}" "\${NOTHING_SKIPPED-}" "$@"; echo "$*" >>"$CALLS"`;
  for (const name of programs) await writeProgram(join(bin, name), writesDown);
  await writeProgram(
    join(bin, 'docker'),
    `(${writesDown}); [ "$1 $2" != "buildx imagetools" ] || echo ${digest}`,
  );
  await writeProgram(
    join(bin, 'npm'),
    `(${writesDown}); [ "$1" != pack ] || echo packed >"$RUNNER_TEMP/${archive}"`,
  );
  await writeProgram(join(bin, 'node'), `(${writesDown}); exec ${process.execPath} "$@"`);
  // As Ubuntu's: it looks for programs in folders of its own, whatever PATH says.
  await writeProgram(join(bin, 'sudo'), `[ "$1" = -E ] && shift && PATH=${secure} exec "$@"`);
}

async function writeProgram(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

function whereIs(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, name)).find(existsSync);
  if (path === undefined) throw new Error(`${name} is not in PATH`);
  return path;
}

function runShell(
  line: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<LineRun, 'exitCode' | 'stderr'>> {
  return new Promise((resolve) => {
    execFile(
      whereIs('bash'),
      ['--norc', '-e', '-c', line],
      { cwd: root, env: { ...env } },
      (error, _stdout, stderr) => resolve({ exitCode: error === null ? 0 : Number(error.code), stderr }),
    );
  });
}

async function readAll(folder: string): Promise<LineRun['files']> {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}

function readCall(text: string): Call {
  const [program = '', nothingSkipped = '', ...args] = text.split('\t');
  return { program, args, nothingSkipped };
}

/** The value of an option that is followed by it. */
export function optionOf(args: readonly string[], name: string): string | undefined {
  return args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
}
