#!/usr/bin/env node
import { handleErrors, handleSignals, onStop } from './cli/signals.ts';
import { printable } from './util/text.ts';

handleSignals();
// A reader that closes its pipe (`| head`) must not stop a sweep halfway.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// A write beyond `ulimit -f` must fail, and not end the process, as Linux has it by default (signal(7), SIGXFSZ).
process.on('SIGXFSZ', () => undefined);
handleErrors(printInternalError);

try {
  const { calledAs, run } = await import('./cli/program.ts');
  const { withWholeWrites } = await import('./cli/io.ts');
  const { exitCodes } = await import('./report/exit-code.ts');
  const { program, argv } = calledAs(process.argv[1] ?? '', process.argv.slice(2));
  const exitCode = await run(argv, {
    program,
    env: process.env,
    stdin: process.stdin,
    stdout: withWholeWrites(process.stdout),
    stderr: process.stderr,
    onStop,
  });
  // An internal error has its own exit code; harm that was done before is still reported.
  if (process.exitCode === undefined || exitCode === exitCodes.harmed) process.exitCode = exitCode;
  // The process ends by itself, unless a read or a write that was given up keeps it alive.
  const { isHeldByFile } = await import('./kube/auth/files.ts');
  setTimeout(() => (isHeldByFile() ? process.kill(process.pid, 'SIGKILL') : process.exit()), 100).unref();
} catch (error) {
  process.exitCode = 1;
  printInternalError(error);
}

/** One line, and the stack with --log-level debug. */
function printInternalError(error: unknown): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  const isDebugging = /--log-level[ =]debug\b/.test(process.argv.join(' '));
  const lines = isDebugging && stack ? stack.split('\n') : [message];
  process.stderr.write(
    `sidecar-sweeper: internal error: ${lines.map((line) => printable(line)).join('\n    ')}\n`,
  );
}
