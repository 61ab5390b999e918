import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { policyFlag } from '../kit/cli.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import { runHere } from '../kit/run-here.ts';
import { temporaryFolder } from '../kit/started.ts';
import { podOutcome, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';

const cluster = TestCluster.startedOnce();
const folder = temporaryFolder('paths');
let kubeconfig: string;
beforeAll(async () => {
  kubeconfig = await cluster.kubeconfig();
  await mkdir(join(folder, 'directory'));
  await writeFile(join(folder, 'file'), '{"before": true}');
  await symlink('file', join(folder, 'link'));
  await symlink('later', join(folder, 'dangling'));
  await symlink('circle', join(folder, 'circle'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

async function sweepTo(...flags: readonly string[]) {
  const namespace = cluster.placeCase({});
  const argv = ['-n', namespace, '--no-lock', '--kubeconfig', kubeconfig, ...flags, '-o', 'json'];
  const run = await runHere(argv, {});
  const requests = cluster.emulator.requests.filter((request) => request.namespace === namespace);
  return { run, requests };
}

/** Where nothing can be written, and why. */
const unwritable: readonly (readonly [what: string, path: string, why: string])[] = [
  ['a directory', 'directory', 'it is a directory'],
  ['in a folder that is missing', 'missing/report', 'there is no directory '],
  ['below a file', 'file/report', 'not a directory'],
  ['a pipe that no process reads', 'pipe', 'no process reads it'],
  ['too long a name', 'x'.repeat(256), 'name too long'],
  ['too long a path', 'x/'.repeat(3_000), 'x/x/x'],
  ['in a folder that cannot be written', '/proc/report', 'no such file or directory'],
  ['a process’s own memory', '/proc/self/nosuch', 'no such file or directory'],
];

/** What names a file to write, and what is written there. */
const outputs: readonly (readonly [name: string, what: string, flag: (path: string) => readonly string[]])[] =
  [
    ['--report-file', 'the report', (path) => ['--report-file', path]],
    ['terminationMessage', 'the termination message', (path) => policyFlag({ terminationMessage: path })],
  ];

describe.concurrent.each(outputs)('C9: before any request, a file of %s is refused', (_name, what, flag) => {
  it.each(unwritable)('if it is %s', async (_what, path, why) => {
    const { run, requests } = await sweepTo(...flag(path.startsWith('/') ? path : join(folder, path)));
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^sidecar-sweeper: [^\n]*\n$/);
    expect(run.stderr).toContain(`cannot write ${what} to `);
    expect(run.stderr).toContain(why);
    expect(requests).toEqual([]);
    tally('faults', 'C9', 1);
  });

  it('if it has no name', async () => {
    const { run, requests } = await sweepTo(...flag(''));
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /^sidecar-sweeper: [^\n]*(Name a file|expected string to have >=1 characters)[^\n]*\n$/,
    );
    expect(requests).toEqual([]);
    tally('faults', 'C9', 1);
  });
});

it.each(outputs)('C9: the sweep is done, and logs a full device of %s', async (_name, _what, flag) => {
  const { run } = await sweepTo(...flag('/dev/full'));
  expect(run.exitCode).toBe(0);
  expect(podOutcome(JSON.parse(run.stdout))).toMatchObject({ kind: 'Ended' });
  expect(run.stderr).toMatch(/could not write [a-z ]+ to \/dev\/full: no space left on device/);
  tally('faults', 'C9', 1);
});

const noLimits = missingPrograms('prlimit');

itUnless(noLimits, 'C9: a full file system keeps the report before, and no part of this one', async () => {
  const place = await mkdtemp(join(folder, 'full-'));
  const file = join(place, 'report');
  await writeFile(file, 'before');
  const argv = ['-n', cluster.placeCase({}), '--no-lock', '--report-file', file, '-o', 'json'];
  const run = await cluster.run(argv, {
    // Longer than a log line, and shorter than a report.
    onStart: ({ pid }) => void execFileSync('prlimit', ['--pid', String(pid), '--fsize=500']),
  });
  expect(run.exitCode).toBe(0);
  expect(podOutcome(JSON.parse(run.stdout))).toMatchObject({ kind: 'Ended' });
  expect(run.stderr).toContain(`could not write the report to ${file}: file too large`);
  expect(await readdir(place)).toEqual(['report']);
  expect(await readFile(file, 'utf8')).toBe('before');
  tally('faults', 'C9', 1);
});

describe('C9: a link', () => {
  it.each([
    ['to a file is kept', 'link', 'file'],
    ['to what is not there yet is kept', 'dangling', 'later'],
  ])('%s, and the report is where it points', async (_what, link, target) => {
    const { run } = await sweepTo('--report-file', join(folder, link));
    expect(run.exitCode).toBe(0);
    const links = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    expect(links.map(({ name }) => name)).toContain(link);
    expect(JSON.parse(await readFile(join(folder, target), 'utf8'))).toEqual(JSON.parse(run.stdout));
    tally('faults', 'C9', 1);
  });

  it('to itself is refused', async () => {
    const { run, requests } = await sweepTo('--report-file', join(folder, 'circle'));
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('too many symbolic links encountered');
    expect(requests).toEqual([]);
    tally('faults', 'C9', 1);
  });
});
