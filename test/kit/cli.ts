import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves out --yes, without which a sweep is refused where nobody can be asked. */
  readonly withoutYes?: true;
  /** Called once the process is running, for example to send it a signal. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** The built command. */
export const bundle = fileURLToPath(new URL('../../dist/sidecar-sweeper.mjs', import.meta.url));

/** A sweep gets --yes, because nobody can be asked; other commands do not have it. */
export function unasked(argv: readonly string[]): readonly string[] {
  const isSweep = argv[0] === undefined || argv[0].startsWith('-');
  return isSweep ? ['--yes', ...argv] : argv;
}

/** Runs the built command as a child process, with pipes instead of a terminal. */
export function runCli(
  argv: readonly string[],
  { env, withoutYes, onStart }: CliOptions = {},
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundle, ...(withoutYes ? argv : unasked(argv))], {
      env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
    onStart?.(child);
  });
}
