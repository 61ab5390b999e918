import { execFileSync, spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../kit/run-here.ts';
import { fileIn, temporaryFolder } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';
import { watchRun } from './watched-run.ts';

const cluster = TestCluster.startedOnce([stuckPod()]);
const folder = temporaryFolder('credentials');

/** The kubeconfig with something else in place of what this finds. */
function replaced(name: string, pattern: RegExp, by: string): string {
  return fileIn(folder, `${name}.config`, cluster.emulator.kubeconfig().replace(pattern, by));
}

const canary = 'canary-token-9f3a';
const printed = (status: unknown, apiVersion = 'client.authentication.k8s.io/v1') =>
  `echo '${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}'`;

// biome-ignore format: one row a line
const plugins: readonly (readonly [what: string, script: string, told: RegExp])[] = [
  ['fails', `echo ${canary} >&2; exit 1`, /exited with code 1/],
  ['is killed', 'kill -KILL $$', /was ended by SIGKILL/],
  ['prints nothing', 'true', /something other than an ExecCredential/],
  ['prints prose', `echo Your token is ${canary}`, /something other than an ExecCredential/],
  ['prints an array', `echo '["${canary}"]'`, /something other than an ExecCredential/],
  ['prints null', 'echo null', /something other than an ExecCredential/],
  ['prints half an answer', `echo '{"kind": "ExecCredential", "status": {"token": "${canary}'`, /something other/],
  ['prints bytes', 'head -c 1000 /dev/urandom', /something other than an ExecCredential/],
  ['prints without an end', 'yes', /printed more than/],
  ['answers in another version', printed({ token: canary }, 'v1beta1'), /in another version/],
  ['has no status', printed(null), /neither a token nor a certificate/],
  ['gives an empty token', printed({ token: '' }), /neither a token nor a certificate/],
  ['gives a number', printed({ token: 5 }), /neither a token nor a certificate/],
  ['gives half a pair', printed({ clientKeyData: canary }), /only one of certificate and key/],
  ['hangs', 'sleep 3600', /did not answer within 3s/],
  ['hangs and ignores SIGTERM', 'trap "" TERM; while :; do sleep 1; done', /did not answer within 3s/],
  ['leaves a child that holds its output', 'sleep 3600 & exit 0', /did not answer within 3s/],
];

describe.concurrent('E2: a credential plugin that', () => {
  it.each(plugins)('%s: nothing is sent, and one line says so', async (what, script, told) => {
    const name = what.replaceAll(' ', '-');
    const plugin = fileIn(folder, name, `#!/bin/sh\n${script}\n`);
    await chmod(plugin, 0o755);
    const exec = `exec: {apiVersion: client.authentication.k8s.io/v1, command: ${plugin}, interactiveMode: Never}`;
    const limit = told.source.includes('3s') ? '3s' : '1m';
    const flags = `--no-lock --request-timeout ${limit} --log-level error -o json --kubeconfig`.split(' ');
    const { exitCode, stdout, stderr } = await runHere([...flags, replaced(name, /token: .*/, exec)]);
    expect(exitCode).toBe(3);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stderr).message).toMatch(told);
    expect(JSON.parse(stdout)).toMatchObject({ pods: [], unread: [{}] });
    expect(stdout + stderr).not.toContain(canary);
    expect(cluster.emulator.requests).toEqual([]);
    tally('faults', 'E2', 1);
  });
});

/** A kubeconfig that names this file in place of one of its credentials. */
function naming(field: string, path: string): string {
  const name = `${field}-${path.replaceAll('/', '-')}`;
  if (field === 'certificate-authority')
    return replaced(name, /certificate-authority-data: .*/, `certificate-authority: ${path}`);
  const pair = `client-certificate: ${path}\n      client-key: ${path}`;
  return replaced(name, /token: .*/, field === 'tokenFile' ? `tokenFile: ${path}` : pair);
}

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

/** Keeps a pipe open, and gives nothing. */
const holdOpen = (path: string) => spawn('sh', ['-c', `exec 3<> ${path}; exec sleep 600`]);

const scan = async (field: string, path: string, env = {}) =>
  watchRun(['scan', '--request-timeout', '2s', '--kubeconfig', naming(field, path)], env);

/** Opens pipes in the way that blocks the thread if none writes to them, as a mount that hangs does. */
const blocking = `import fs, { constants } from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const { open } = fs;
  fs.open = (path, flags, ...others) =>
    open(path, String(path).includes('hangs-') ? flags & ~constants.O_NONBLOCK : flags, ...others);
  syncBuiltinESMExports();`;

/** A path of this name, what is told of it, and how the process ends. */
const strangeFiles: readonly (readonly [
  what: string,
  path: (name: string) => string,
  told: string,
  exitCode: 3 | null,
])[] = [
  ['never answers', pipe, 'could not be read within 2s', 3],
  ['never ends', () => '/dev/zero', 'it has more than 1 MiB', 3],
  // The process does not wait for its thread.
  ['is on a mount that hangs', (name) => pipe(`hangs-${name}`), 'could not be read within 2s', null],
];

describe.each(['tokenFile', 'certificate-authority', 'client-certificate'])('E6: a %s that', (field) => {
  it.each(strangeFiles)('%s is told of in time, with little memory', async (what, pathOf, told, expected) => {
    const path = pathOf(field);
    const script = fileIn(folder, 'blocking.mjs', blocking);
    const writer = what === 'never answers' ? holdOpen(path) : undefined;
    const began = performance.now();
    const env = { NODE_OPTIONS: `--import ${script}` };
    const { exitCode, stderr, peakMiB } = await scan(field, path, env).finally(() => writer?.kill());
    expect(stderr).toContain(told);
    expect(exitCode).toBe(expected);
    expect(peakMiB).toBeLessThan(150);
    expect(performance.now() - began).toBeLessThan(10_000);
    tally('faults', 'E6', 1);
  });
});

it('E6: a token file that stops answering during a sweep does not keep the process from its end', async () => {
  const [, written = ''] = /token: (.*)/.exec(cluster.emulator.kubeconfig()) ?? [];
  const token = fileIn(folder, 'token', written);
  const config = naming('tokenFile', token);
  const sidecar = { on: { SIGTERM: { exitCode: 0, after: 12_000 } } };
  cluster.emulator.world.placePods([stuckPod({ name: 'slow', sidecar, grace: 30 })]);
  const flags = ['sweep', '--yes', '--no-lock', '--min-age', '0s', '-o', 'json'];
  const running = watchRun([...flags, '--request-timeout', '3s', '--kubeconfig', config]);
  let writer: ReturnType<typeof spawn> | undefined;
  const timer = setTimeout(() => {
    execFileSync('sh', ['-c', `rm ${token}; mkfifo ${token}`]);
    writer = holdOpen(token);
  }, 4_000);
  const { exitCode, stdout } = await running;
  clearTimeout(timer);
  writer?.kill();
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ totals: { candidates: 2 } });
  tally('faults', 'E6', 1);
});

it('E6: a port that refuses connections is the first thing that is said, and at once', async () => {
  const kubeconfig = replaced('refused', /server: .*/, 'server: https://127.0.0.1:1');
  for (const command of [['scan'], ['sweep', '--yes', '--log-level', 'error']]) {
    const began = performance.now();
    const argv = [...command, '-n', 'demo', '--kubeconfig', kubeconfig];
    const { exitCode, stdout, stderr } = await watchRun(argv);
    const [first = ''] = `${stderr}${stdout}`.split('\n');
    expect(first).toContain('https://127.0.0.1:1 refuses connections');
    expect(first).not.toContain('Lease');
    expect(first).toContain('in namespace demo');
    expect(exitCode).toBe(3);
    expect(performance.now() - began).toBeLessThan(5_000);
    tally('faults', 'E6', 1);
  }
});
