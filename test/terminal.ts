import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { bundle } from './cli.ts';
import { missingPrograms } from './needs.ts';

/** Why this machine has no pseudo-terminals for tests; undefined if it has. */
export const noTerminal = missingPrograms('script', 'stty');

/** More than any command has to say; a loop of cursor movements writes it within a second. */
export const mostBytes = 500_000;

/** Keys to press, once the text has been shown. */
export type Presses = readonly (readonly [after: string, keys: string])[];

export const keys = { ctrlC: '\u0003', ctrlD: '\u0004' } as const;

interface Shown {
  readonly exitCode: number | null;
  readonly text: string;
}

/** Runs the built command on a pseudo-terminal of this size. */
export async function runOnTerminal(
  size: string,
  argv: readonly string[],
  presses: Presses = [],
): Promise<Shown> {
  const command = `echo $$ && stty ${size} && exec ${[process.execPath, bundle, ...argv].join(' ')}`;
  const { PATH = '' } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { PATH, HOME: '/nonexistent', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const left = [...presses];
  let text = '';
  let seen = 0;
  let isKilled = false;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (let next = left[0]; next && text.includes(next[0], seen); next = left[0]) {
      seen = text.indexOf(next[0], seen) + next[0].length;
      child.stdin.write(next[1]);
      left.shift();
    }
    // `script` does not end its command, and SIGTERM does not end a loop that never yields.
    if (text.length > mostBytes && !isKilled) {
      isKilled = process.kill(Number.parseInt(text, 10), 'SIGKILL');
    }
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, text };
}

/** The lines that were on the terminal, also those that others have been written over. */
export function linesOf({ text }: Shown): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor, and what holds back a frame
  const apart = text.replace(/\u001b\[\d*[GKA]|\u001b\[\?2026[hl]|\r/g, '\n');
  return apart.split('\n').map((line) => stripVTControlCharacters(line).trimEnd());
}

/** The lines that are longer than the terminal is wide. Commands to copy are not wrapped; what was typed follows the question. */
export function tooLong(lines: readonly string[], columns: number): readonly string[] {
  const told = lines.filter((line) => !/^ *(?:sidecar-sweeper|kubectl) |\[y\/N\]/.test(line));
  return told.filter((line) => line.length > columns && line.trim().includes(' '));
}
