import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle, policyFlag } from '../../kit/cli.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

// The report is larger than a pipe's buffer.
const pods = Array.from({ length: 200 }, (_, index) => stuckPod({ name: `pod-${index}` }));
const cluster = TestCluster.startedOnce(pods);
const folder = temporaryFolder('outputs');
beforeAll(async () => {
  ensureNamespace(cluster.emulator.world, 'elsewhere');
  const { report } = await cluster.sweepHere(['--dry-run']);
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  await writeFile(join(folder, 'policy.yaml'), 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n');
});

/** Runs the built command in a shell, in the folder of the report, with what stands before and after it. */
async function runIn(shell: { readonly before?: string; readonly after: string }, words: string) {
  const command = `${shell.before ?? ''} ${process.execPath} ${bundle} ${words} ${shell.after}`;
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', KUBECONFIG: await cluster.kubeconfig() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  const [exitCode] = await once(child, 'close');
  return { exitCode, stderr: await errors };
}

const noSpace = {
  exitCode: 1,
  stderr: 'sidecar-sweeper: could not write the output: no space left on device\n',
};

describe.concurrent('an output for which there is no space is an error, and not cut in silence:', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    'report -o html report.json', 'report merge -o json report.json', 'scan -o json', 'advise',
    'explain demo/pod-0', 'check-access --no-lock', 'completion bash', 'profiles', 'validate policy.yaml',
    '--help',
  ])('%s > /dev/full', async (words) => {
    expect(await runIn({ after: '> /dev/full' }, words)).toEqual(noSpace);
  });

  it('if only the beginning of the last piece has space', async () => {
    const limited = await runIn(
      { before: 'ulimit -f 1;', after: '> page.html' },
      'report -o html report.json',
    );
    expect((await stat(join(folder, 'page.html'))).size).toBe(1024);
    expect(limited).toEqual({
      exitCode: 1,
      stderr: 'sidecar-sweeper: could not write the output: file too large\n',
    });
  });
});

it('a sweep that cannot push its metrics logs a line and does not fail', async () => {
  const policy = policyFlag({ pushgatewayUrl: 'http://127.0.0.1:1023' });
  const { exitCode, stderr } = await cluster.runHere(['--dry-run', '-n', 'elsewhere', ...policy]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('could not write metrics to the Pushgateway: connect ECONNREFUSED');
});
