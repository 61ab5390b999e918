import type { AttemptResult } from '../model/outcome.ts';
import type { ExecResult, RequestFailure, WriteResult } from '../model/ports.ts';
import { printable } from '../util/text.ts';

/** A request without a result. Only the gates need to know that it was the node that did not answer. */
export function withoutResult({
  silentNode: _,
  ...result
}: RequestFailure & { readonly silentNode?: true }): AttemptResult {
  return result;
}

export function toWriteAttempt(result: WriteResult): AttemptResult {
  switch (result.kind) {
    case 'Written':
      return { kind: 'Accepted' };
    case 'Conflict':
      return { kind: 'Undelivered', message: result.message };
    case 'Rejected':
      return { kind: 'Unsupported', message: result.message };
    case 'Refused':
    case 'Busy':
    case 'Undelivered':
    case 'Unconfirmed':
      return result;
  }
}

/** The result of an exec as that of an attempt; each method interprets the exit code of its command. */
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
    case 'NotThere':
    case 'Refused':
    case 'Busy':
    case 'Undelivered':
    case 'Unconfirmed':
      return withoutResult(result);
  }
}

/** The exit code of many execs that ended their container: the kernel kills every process of the PID namespace (`term-clean-exit`). */
const killed = 137;

/** Of a program that cannot be executed; with CRI-O, runc and crun exit with 255. */
const notExecuted: readonly number[] = [126, 127, 255];

/**
 * The meaning of an exit code other than 0. Where containerd returns an error, some runtimes report by an exit code that there is
 * no such program. A shell that does not find the program of its script exits with 127 as well, but exists itself.
 */
export function failedExit(exitCode: number, output: string, program: string): AttemptResult {
  const couldNotExec = notExecuted.includes(exitCode) && /\bexec(?:utable file)?\b/.test(output);
  if (couldNotExec && output.includes(program))
    return { kind: 'NoSuchProgram', program, message: printable(output) };
  return { kind: exitCode === killed ? 'Unconfirmed' : 'Failed', message: describeExit(exitCode, output) };
}

export function describeExit(exitCode: number, output: string): string {
  return `exit code ${exitCode}${output === '' ? '' : `: ${printable(output)}`}`;
}

const mayHaveArrived: Readonly<Record<AttemptResult['kind'], boolean>> = {
  Accepted: true,
  Failed: true,
  Unconfirmed: true,
  NotThere: false,
  Refused: false,
  NoSuchProgram: false,
  Unsupported: false,
  Immune: false,
  Blocked: false,
  Busy: false,
  Undelivered: false,
};

export function mayHaveWorked({ result }: { readonly result: AttemptResult }): boolean {
  return mayHaveArrived[result.kind];
}
