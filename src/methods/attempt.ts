import type { AttemptResult } from '../model/outcome.ts';
import type { ExecResult, WriteResult } from '../model/ports.ts';
import { printable } from '../util/text.ts';

/** What became of a write, as an attempt. */
export function toWriteAttempt(result: WriteResult): AttemptResult {
  switch (result.kind) {
    case 'Written':
      return { kind: 'Accepted' };
    case 'Conflict':
      return { kind: 'Undelivered', message: result.message };
    case 'Busy':
      return toBusy(result);
    case 'Rejected':
      return { kind: 'Unsupported', message: result.message };
    case 'Refused':
    case 'Undelivered':
    case 'Unconfirmed':
      return { kind: result.kind, message: result.message };
  }
}

/** A request that the API server wants to see later. */
export function toBusy({ message, retryAfter }: Extract<WriteResult, { kind: 'Busy' }>): AttemptResult {
  return { kind: 'Busy', message, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) };
}

/** A request that did not arrive. It will not arrive later either if a proxy refuses to upgrade connections. */
export function toUndelivered({
  kind,
  message,
  noUpgrade,
}: Extract<ExecResult, { kind: 'Undelivered' }>): AttemptResult {
  return { kind, message, ...(noUpgrade && { noUpgrade }) };
}

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

/** Whether an attempt may have told the container to end. */
export function mayHaveWorked({ result }: { readonly result: AttemptResult }): boolean {
  switch (result.kind) {
    case 'Accepted':
    case 'Failed':
    case 'Unconfirmed':
      return true;
    case 'NotThere':
    case 'Refused':
    case 'NoSuchProgram':
    case 'Unsupported':
    case 'Immune':
    case 'Held':
    case 'Busy':
    case 'Undelivered':
      return false;
  }
}
