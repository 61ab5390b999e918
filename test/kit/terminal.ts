import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { bundle, withCommand } from './cli.ts';
import { missingPrograms } from './needs.ts';

/** Why this machine has no pseudo-terminals for tests; undefined if it has. */
export const noTerminal = missingPrograms('script', 'stty');

/** More than any command has to say; a loop of cursor movements writes it within a second. */
export const mostBytes = 500_000;

/** Keys to press, once the text has been shown, or so many milliseconds later. */
export type Presses = readonly (readonly [after: string, keys: string, later?: number])[];

export const keys = { ctrlC: '\u0003', ctrlD: '\u0004' } as const;

interface Shown {
  readonly exitCode: number | null;
  readonly text: string;
}

/** Runs the built command on a pseudo-terminal of this size, and then another one that looks at what is left of it. */
export async function runOnTerminal(
  size: string,
  argv: readonly string[],
  presses: Presses = [],
  then?: string,
): Promise<Shown> {
  const sweeping = `echo $$ && stty ${size} && exec ${[process.execPath, bundle, ...withCommand(argv)].join(' ')}`;
  // A shell without a trap ends by the Ctrl-C that its child gets as well.
  const command =
    then === undefined ? sweeping : `trap : INT; sh -c '${sweeping}'; code=$?; ${then}; exit $code`;
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
      const [after, pressed, later = 0] = next;
      seen = text.indexOf(after, seen) + after.length;
      if (later > 0) setTimeout(() => child.stdin.write(pressed), later);
      else child.stdin.write(pressed);
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
