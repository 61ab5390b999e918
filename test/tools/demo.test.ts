import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { KeptDemo } from '../../scripts/demo/kept.ts';
import { sweepReport } from '../../src/report/schema.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';

describe('the demo with JSON output', () => {
  const demo = startedOnce(() => KeptDemo.start());

  it('prints only the report', () => {
    const report = sweepReport.parse(JSON.parse(demo.stdout));
    expect(demo.stdout).toMatch(/^\{[\s\S]*\}\n$/);
    expect(report.totals.candidates).toBeGreaterThan(5);
  });
});

describe('the demo', () => {
  const folder = temporaryFolder('demo-test');

  async function run(onOutput: (child: ChildProcess) => void) {
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/demo/main.ts', '--why'], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.stdout.once('data', () => onOutput(child));
    const [exitCode] = await once(child, 'close');
    const left = (await readdir(folder)).filter((name) => name.startsWith('sidecar-sweeper-demo-'));
    return { exitCode, stderr, left };
  }

  it('goes on without a reader, such as `head -1`', async () => {
    expect(await run(({ stdout }) => stdout?.destroy())).toEqual({ exitCode: 0, stderr: '', left: [] });
  });

  it('leaves nothing behind after Ctrl-C', async () => {
    expect(await run((child) => child.kill('SIGINT'))).toEqual({ exitCode: 130, stderr: '', left: [] });
  });
});
