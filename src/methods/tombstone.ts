import type { AttemptResult, TombstoneStep } from '../vocabulary.ts';
import { toAttempt, unconfirmedExit } from './exec-attempt.ts';
import { type ContainerMethod, execRule } from './method.ts';

const shell = '/bin/sh';

/** Writes a file that the container watches for: kubexit's graveyard, gcsfuse's `exit` file. */
export const tombstone: ContainerMethod<TombstoneStep> = {
  flag: 'tombstone',
  rbac: [execRule],
  price: '',
  async send(cluster, pod, container, { path, content }, signal) {
    // Path and content are arguments of the script, never part of it.
    const argv = [shell, '-c', 'printf %s "$2" > "$1"', 'sidecar-sweeper', path, content];
    return toAttempt(await cluster.exec(pod, container, argv, signal), shell, concludeExit);
  },
};

function concludeExit(exitCode: number, output: string): AttemptResult {
  if (exitCode === 0) return { kind: 'Accepted' };
  const result = unconfirmedExit(exitCode, output, shell);
  // Unlike a signal, a write ends no process that could take the shell along: the file is not there.
  return result.kind === 'Unconfirmed' ? { kind: 'Unsupported', message: result.message } : result;
}
