import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundle } from '../kit/cli.ts';
import { ensureNamespace } from '../kit/emulator/index.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';
import { sidecarOutcome, stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { playAll } from './real-case.ts';
import { allIndexes } from './struck.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start());
const folder = temporaryFolder('outputs');

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

let cases = 0;

/** Sweeps two stuck pods with these redirections. */
async function sweepWith(redirections: string, format: string) {
  const namespace = `case-${cases++}`;
  ensureNamespace(cluster.emulator.world, namespace);
  cluster.emulator.world.placePods([0, 1].map((index) => stuckPod({ namespace, name: `pod-${index}` })));
  const file = join(folder, namespace);
  const command = [process.execPath, bundle, 'sweep', '--yes', '-n', namespace, '--no-lock', '-o', format];
  const more = ['--kubeconfig', await cluster.kubeconfig(), '--report-file', file];
  const child = spawn('bash', ['-c', `${[...command, ...more].join(' ')} ${redirections}`], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
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
