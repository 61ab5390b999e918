import type { ExecResult } from '../ports.ts';
import { printable } from '../printable.ts';
import type { AttemptResult } from '../vocabulary/attempt-result.ts';
import { toBusy, toUndelivered } from './write-attempt.ts';

/** How an exec often ends that ended its container: the kernel kills every process of the PID namespace (`term-clean-exit`). */
const killed = 137;

/** What the connection of an exec tells about an attempt; the exit code of the command is the method's to read. */
export function toAttempt(
  result: ExecResult,
  program: string,
  concludeExit: (exitCode: number, output: string) => AttemptResult,
): AttemptResult {
  switch (result.kind) {
    case 'Exited':
      return concludeExit(result.exitCode, result.output);
    case 'NoSuchProgram':
      return { kind: 'NoSuchProgram', program, message: result.message };
    case 'Busy':
      return toBusy(result);
    case 'Undelivered':
      return toUndelivered(result);
    case 'Unconfirmed': {
      const { kind, message, unopened } = result;
      return { kind, message, ...(unopened && { unopened }) };
    }
    case 'NotThere':
    case 'Refused':
      return { kind: result.kind, message: result.message };
  }
}

/**
 * What an exit code tells when it tells of no success. Some runtimes say with one what containerd says with an error: that
 * there is no such program to execute. A shell that does not find the program it was told to run exits 127 as well, and is there.
 */
export function failedExit(exitCode: number, output: string, program: string): AttemptResult {
  const couldNotExec = (exitCode === 126 || exitCode === 127) && /\bexec\b/.test(output);
  if (couldNotExec && output.includes(program))
    return { kind: 'NoSuchProgram', program, message: printable(output) };
  return { kind: exitCode === killed ? 'Unconfirmed' : 'Failed', message: describeExit(exitCode, output) };
}

/** In one line. */
export function describeExit(exitCode: number, output: string): string {
  return `exit code ${exitCode}${output === '' ? '' : `: ${printable(output)}`}`;
}
