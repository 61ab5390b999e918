import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/program.ts';
import { type CliRun, unasked } from './cli.ts';

/** What stdout is to the command: a pipe if it has no columns. */
interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Sweeps in this process, because many runs would spend most of their time on startup. */
export function runHere(...[argv, ...around]: Parameters<typeof runExactly>): Promise<CliRun> {
  return runExactly(unasked(argv), ...around);
}

/** The same, without --yes and -A where they are missing. */
export async function runExactly(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  terminal: Terminal = {},
): Promise<CliRun> {
  const stdout = Object.assign(new PassThrough(), terminal);
  const stderr = new PassThrough();
  const texts = Promise.all([text(stdout), text(stderr)]);
  const stdin = new PassThrough();
  const io = {
    program: 'sidecar-sweeper',
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...env },
    stdin,
    stdout,
    stderr,
    onStop: () => undefined,
  };
  const exitCode = await run(argv, io);
  stdout.end();
  stderr.end();
  const [printed, logged] = await texts;
  return { exitCode, stdout: printed, stderr: logged };
}
