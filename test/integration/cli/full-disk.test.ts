import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../kit/cli.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  cluster = await TestCluster.start([stuckPod()]);
  folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-full-'));
  const { run } = await cluster.sweep(['--dry-run']);
  await writeFile(join(folder, 'report.json'), run.stdout);
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command in a shell, in the folder of the report, with what stands before and after it. */
async function runIn(shell: { readonly before?: string; readonly after: string }, words: string) {
  const command = `${shell.before ?? ''} ${process.execPath} ${bundle} ${words} ${shell.after}`;
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nonexistent',
      KUBECONFIG: await cluster.kubeconfig(),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  return { exitCode, stderr };
}

const commands = [
  'report -o html report.json',
  'report merge -o json report.json',
  'scan -o json',
  'advise',
  'explain demo/stuck',
  'check-access --no-lock',
  'completion bash',
  'profiles',
  '--help',
];

describe.concurrent('an output for which there is no space is an error, and not cut in silence:', () => {
  it.each(commands)('%s > /dev/full', async (words) => {
    expect(await runIn({ after: '> /dev/full' }, words)).toEqual({
      exitCode: 1,
      stderr: 'sidecar-sweeper: could not write the output: no space left on device\n',
    });
  });

  it('validate > /dev/full', async () => {
    await writeFile(join(folder, 'policy.yaml'), 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n');
    expect((await runIn({ after: '> /dev/full' }, 'validate policy.yaml')).exitCode).toBe(1);
  });

  it('if only the beginning of the last piece has space', async () => {
    const run = await runIn({ before: 'ulimit -f 1;', after: '> page.html' }, 'report -o html report.json');
    expect((await stat(join(folder, 'page.html'))).size).toBe(1024);
    expect(run).toEqual({
      exitCode: 1,
      stderr: 'sidecar-sweeper: could not write the output: file too large\n',
    });
  });

  it('but a sweep has done its work, and says so in its log', async () => {
    const run = await runIn({ after: '> /dev/full' }, '--dry-run --no-lock -o json');
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('could not write the report: no space left on device');
  });

  it('and names a report file that it could not write', async () => {
    const run = await runIn({ after: '' }, '--dry-run --no-lock -o json --report-file /dev/full');
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('could not write the report to /dev/full: no space left on device');
  });
});
