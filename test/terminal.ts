import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundle } from './cli.ts';
import { missingPrograms } from './needs.ts';

/** Why this machine has no pseudo-terminals for tests; undefined if it has. */
export const noTerminal = missingPrograms('script', 'stty');

/** More than any command has to say; a loop of cursor movements writes it within a second. */
export const mostBytes = 500_000;

interface Shown {
  readonly exitCode: number | null;
  readonly text: string;
}

/** Runs the built command on a pseudo-terminal of this size. */
export async function runOnTerminal(size: string, argv: readonly string[]): Promise<Shown> {
  const command = `echo $$ && stty ${size} && exec ${[process.execPath, bundle, ...argv].join(' ')}`;
  const { PATH = '' } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH, HOME: '/nonexistent', TERM: 'xterm' },
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
