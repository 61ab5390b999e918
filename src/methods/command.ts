import type { AttemptResult, CommandStep } from '../vocabulary.ts';
import { toAttempt, unconfirmedExit } from './exec-attempt.ts';
import { type ContainerMethod, execRule } from './method.ts';

/** Runs a command in the container: its owner's, or one that the image brings for the purpose. */
export const command: ContainerMethod<CommandStep> = {
  flag: 'command',
  rbac: [execRule],
  price: '',
  async send(cluster, pod, container, step, signal) {
    const [program = ''] = step.command;
    const result = await cluster.exec(pod, container, step.command, signal);
    return toAttempt(result, program, (exitCode, output) => concludeExit(exitCode, output, program));
  },
};

/**
 * An exit code is only ever a hint: `kill` exits 0 when nothing happens, and the command itself dies (137) with
 * the PID 1 that it ended.
 */
function concludeExit(exitCode: number, output: string, program: string): AttemptResult {
  if (exitCode === 0) return { kind: 'Accepted' };
  return unconfirmedExit(exitCode, output, program);
}
