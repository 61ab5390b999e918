import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect } from 'vitest';
import { bundle } from '../../cli.ts';
import { itUnless, missingPrograms } from '../../needs.ts';
import { sidecars, stuckPod, TestCluster } from '../stuck-pods.ts';

/** More than any of these commands has to say; a loop of cursor movements writes it within a second. */
const mostBytes = 500_000;

const without = missingPrograms('script', 'stty');

let cluster: TestCluster;
let pods = 0;
beforeAll(async () => {
  cluster = await TestCluster.start();
});
afterAll(() => cluster.stop());

interface Shown {
  readonly exitCode: number | null;
  readonly text: string;
}

/** Runs the built command on a pseudo-terminal of this size. */
async function runOnTerminal(size: string, argv: readonly string[]): Promise<Shown> {
  const command = `echo $$ && stty ${size} && exec ${[process.execPath, bundle, ...argv].join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  let isKilled = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    // `script` does not end its command, and SIGTERM does not end a loop that never yields.
    if (text.length > mostBytes && !isKilled) {
      isKilled = process.kill(Number.parseInt(text, 10), 'SIGKILL');
    }
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, text };
}

for (const size of ['cols 0 rows 0', 'cols 0 rows 24', 'cols 1 rows 1', 'cols 65535 rows 65535']) {
  itUnless(without, `a sweep on a terminal of ${size} runs and ends`, async () => {
    const name = `pod-${pods++}`;
    const { world } = cluster.emulator;
    world.placePods([stuckPod({ name, sidecar: sidecars.clean })]);
    const shown = await runOnTerminal(size, ['--kubeconfig', await cluster.kubeconfig()]);
    expect(shown.exitCode).toBe(0);
    expect(shown.text).toContain(name);
    expect(shown.text).toContain('stopped, exit code 0');
    expect(shown.text.length).toBeLessThan(mostBytes);
  });

  itUnless(without, `the help on a terminal of ${size} is complete`, async () => {
    const shown = await runOnTerminal(size, ['--help']);
    expect(shown.exitCode).toBe(0);
    expect(shown.text).toContain('Exit codes:');
    expect(shown.text.length).toBeLessThan(mostBytes);
  });
}
