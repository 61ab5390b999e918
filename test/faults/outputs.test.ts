import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from '../kit/cli.ts';
import type { Pod } from '../kit/emulator/index.ts';
import { temporaryFolder } from '../kit/started.ts';
import { sidecarOutcome, TestCluster } from '../kit/stuck-pods.ts';
import { allIndexes, longestEnd, playAll } from './real-case.ts';
import { tally } from './tally.ts';

const cluster = TestCluster.startedOnce();
const folder = temporaryFolder('outputs');
const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' };

/** What may be wrong with an output, in the words of a shell. `slow` takes a byte now and then, and in the end the rest. */
const wrongs: Readonly<Record<string, (stream: 1 | 2) => string>> = {
  closed: (stream) => `${stream}>&-`,
  full: (stream) => `${stream}>/dev/full`,
  'a pipe without a reader': (stream) => `${stream}> >(exec true)`,
  'a pipe whose reader leaves after a byte': (stream) => `${stream}> >(head -c1 >/dev/null)`,
  slow: (stream) =>
    `${stream}> >(for i in 1 2 3 4 5; do head -c1; sleep 0.3; done >/dev/null; cat >/dev/null)`,
  'read only': (stream) => `${stream}</dev/null`,
};
const formats = ['ndjson', 'table'];

/** Sweeps two stuck pods with these redirections. */
async function sweepWith(redirections: string, format: string) {
  const namespace = cluster.placeCase({ name: 'pod-0' }, { name: 'pod-1' });
  const file = join(folder, namespace);
  const command = [process.execPath, bundle, 'sweep', '--yes', '-n', namespace, '--no-lock', '-o', format];
  const more = ['--kubeconfig', await cluster.kubeconfig(), '--report-file', file];
  const child = spawn('bash', ['-c', `${[...command, ...more].join(' ')} ${redirections}`], {
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, report: JSON.parse(await readFile(file, 'utf8')) };
}

const redirected = Object.entries(wrongs).flatMap(([what, of]) => [
  { what: `stdout is ${what}`, redirections: of(1) },
  { what: `stderr is ${what}`, redirections: of(2) },
  { what: `both are ${what}`, redirections: `${of(1)} ${of(2)}` },
]);

describe.concurrent('C10: the sweep goes on, its file is written, and its exit code is right, if', () => {
  it.each(redirected)('$what', async ({ redirections }) => {
    const all = await Promise.all(formats.map((format) => sweepWith(redirections, format)));
    for (const { exitCode, report } of all) {
      expect(exitCode).toBe(0);
      for (const pod of ['pod-0', 'pod-1']) {
        expect(sidecarOutcome(report, pod)).toEqual({ kind: 'Stopped', exitCode: 0 });
      }
      tally('faults', 'C10', 1);
    }
  });
});

it('C10: the reader of both outputs may leave at any request: the sweep goes on, and its file is written', async () => {
  await playAll(await allIndexes(), async (one, index) => {
    const left = await one.sweep(index, (sweeper) => sweeper.leave());
    expect(left.run.exitCode).toBe(0);
    expect(JSON.parse(left.file ?? 'none').totals.pods).toEqual({ Ended: 2 });
    expect(one.holder).toBe('');
    tally('faults', 'C10', 1);
  });
});

/** More than a pipe and the buffers around it hold. */
const pods = 80;
/** What an unread output may take, and as much again for a busy machine. */
const longest = 120_000;

/** Sweeps with pipes that are open and unread, and sends a signal once the Lease is given back. */
async function sweepInto(unread: readonly ('stdout' | 'stderr' | 'report')[], signal?: NodeJS.Signals) {
  const names = Array.from({ length: pods }, (_, index) => ({ name: `pod-${index}` }));
  const namespace = cluster.placeCase(...names);
  const { store } = cluster.emulator.world;
  const held = new Map(unread.map((name) => [name, pipeIn(join(folder, `${namespace}-${name}`))]));
  const report = held.get('report')?.path ?? join(folder, `${namespace}-report`);
  const where = `-n ${namespace} --lock ${namespace}`.split(' ');
  const options = ['sweep', '--yes', ...where, '-o', 'json', '--report-file', report];
  const child = spawn(process.execPath, [bundle, ...options, '--kubeconfig', await cluster.kubeconfig()], {
    env,
    stdio: ['ignore', held.get('stdout')?.to ?? 'ignore', held.get('stderr')?.to ?? 'ignore'],
  });
  const ended = once(child, 'exit');
  const isLeft = () => Object(store.list('leases', namespace)[0]?.['spec']).holderIdentity === '';
  await expect.poll(isLeft, { timeout: longest }).toBe(true);
  const phases = store.list<Pod>('pods', namespace).map(({ status }) => status?.phase);
  expect(new Set(phases)).toEqual(new Set(['Succeeded']));
  const left = performance.now();
  if (signal) child.kill(signal);
  const [exitCode] = await ended;
  for (const { to, from } of held.values()) for (const each of [to, from]) closeSync(each);
  tally('faults', 'C10', 1);
  return { exitCode, wentOn: performance.now() - left };
}

function pipeIn(path: string) {
  expect(spawnSync('mkfifo', [path]).status).toBe(0);
  // For both, so that it does not wait for a reader.
  return { path, from: openSync(path, 'r+'), to: openSync(path, 'w') };
}

describe.concurrent('C10: an output that is unread for a whole sweep keeps', () => {
  it('neither the sweep nor the process from its end', async () => {
    const { exitCode, wentOn } = await sweepInto(['stdout']);
    expect(exitCode).toBe(0);
    expect(wentOn).toBeLessThan(longest);
  });

  it.each([
    ['outputs', ['stdout', 'stderr']],
    ['report file', ['report', 'stderr']],
  ] as const)('the process from its end within 5 s of a signal: %s', async (_title, unread) => {
    const { exitCode, wentOn } = await sweepInto(unread, 'SIGTERM');
    expect(exitCode).toBe(0);
    expect(wentOn).toBeLessThan(longestEnd);
  });
});
