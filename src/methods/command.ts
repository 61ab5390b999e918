import type { Cluster, ExecResult } from '../ports.ts';
import type { AttemptResult, PodRef, Step } from '../types.ts';

/** Runs the step's command in the container. */
export async function sendCommand(
  cluster: Pick<Cluster, 'exec'>,
  pod: PodRef,
  container: string,
  step: Step,
  signal: AbortSignal,
): Promise<AttemptResult> {
  return toAttempt(await cluster.exec(pod, container, step.command, signal), step);
}

function toAttempt(result: ExecResult, step: Step): AttemptResult {
  const program = step.command[0] ?? '';
  switch (result.kind) {
    case 'Exited':
      return concludeExit(result.exitCode, result.output, program);
    case 'NoSuchProgram':
      return { kind: 'NoSuchProgram', program, message: result.message };
    case 'NotThere':
      // The recheck saw it a moment ago: the next read tells whether it is gone.
      return { kind: 'Undelivered', message: result.message };
    case 'Refused':
    case 'Undelivered':
    case 'Unconfirmed':
      return { kind: result.kind, message: result.message };
  }
}

/**
 * An exit code is only ever a hint: `kill` exits 0 when nothing happens, and the command itself dies (137) with
 * the PID 1 that it ended.
 */
function concludeExit(exitCode: number, output: string, program: string): AttemptResult {
  if (exitCode === 0) return { kind: 'Accepted' };
  // Some runtimes say with an exit code what containerd says with an error: found no such program to execute.
  // A shell that does not find the program it was told to run exits 127 as well, and is there.
  const couldNotExec = (exitCode === 126 || exitCode === 127) && /\bexec\b/.test(output);
  if (couldNotExec && output.includes(program)) return { kind: 'NoSuchProgram', program, message: output };
  return { kind: 'Unconfirmed', message: `exit code ${exitCode}${output === '' ? '' : `: ${output}`}` };
}
