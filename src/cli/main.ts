#!/usr/bin/env node
import { printable } from '../printable.ts';
import { keepCompiledCode } from './compile-cache.ts';
import { onSignal } from './on-signal.ts';

// A reader that closes its pipe (`| head`) must not stop a sweep halfway.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

keepCompiledCode(process.env);

try {
  const { run } = await import('./run.ts');
  const { calledAs } = await import('./program-name.ts');
  const { program, argv } = calledAs(process.argv[1] ?? '', process.argv.slice(2));
  // Not process.exit, which would lose output that a pipe has not accepted yet.
  process.exitCode = await run(argv, {
    program,
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onSignal,
  });
} catch (error) {
  process.exitCode = 1;
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`sidecar-sweeper: internal error: ${printable(message)}\n`);
}
