import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';

export interface Typed {
  readonly exitCode: number;
  readonly text: string;
}

const question = '[y/N]';

/** Runs lines one after the other in one shell, where somebody sits at the terminal who answers yes: what each did. */
export async function typed(lines: readonly string[], env: NodeJS.ProcessEnv): Promise<readonly Typed[]> {
  const script = lines.flatMap((line) => [line, 'echo "# exit code $?"']);
  const command = ['stty rows 50 columns 200', ...script].join('\n');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (; text.split(question).length - 1 > answered; answered++) child.stdin.write('y\n');
  });
  await once(child, 'close');
  const said = stripVTControlCharacters(text).replaceAll('\r', '');
  return [...said.matchAll(/([\s\S]*?)# exit code (\d+)\n/g)].map(([, before = '', exitCode]) => ({
    text: before.trim(),
    exitCode: Number(exitCode),
  }));
}
