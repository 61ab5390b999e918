import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sweepReport } from '../../src/report/schema.ts';
import { temporaryFolder } from '../kit/started.ts';

describe('the demo', () => {
  const folder = temporaryFolder('demo-test');

  async function run(argv: readonly string[], onOutput: (child: ChildProcess) => void = () => undefined) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo/main.ts', ...argv], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stdout.once('data', () => onOutput(child));
    const [exitCode] = await once(child, 'close');
    const left = (await readdir(folder)).filter((name) => name.startsWith('sidecar-sweeper-demo-'));
    return { stdout, ended: { exitCode, stderr, left } };
  }

  it('prints only the report as JSON', async () => {
    const { stdout } = await run(['-o', 'json']);
    expect(sweepReport.parse(JSON.parse(stdout)).totals.candidates).toBeGreaterThan(5);
    expect(stdout).toMatch(/^\{[\s\S]*\}\n$/);
  });

  it('goes on without a reader, such as `head -1`', async () => {
    const { ended } = await run(['--why'], ({ stdout }) => stdout?.destroy());
    expect(ended).toEqual({ exitCode: 0, stderr: '', left: [] });
  });

  it('leaves nothing behind after Ctrl-C', async () => {
    const { ended } = await run(['--why'], (child) => child.kill('SIGINT'));
    expect(ended).toEqual({ exitCode: 130, stderr: '', left: [] });
  });
});
