import type { AttemptResult, SignalStep } from '../vocabulary.ts';
import { toAttempt, unconfirmedExit } from './exec-attempt.ts';
import { type ContainerMethod, execRule } from './method.ts';
import { signalScript } from './signal-script.ts';

const shell = '/bin/sh';

/** The numbers of x86 and arm64 Linux. */
const numbers: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  TERM: 15,
};

/** Sends a signal that the container's process catches, or says at once that none can work. */
export const signal: ContainerMethod<SignalStep> = {
  flag: 'signal',
  rbac: [execRule],
  price: '',
  async send(cluster, pod, container, { signals }, abort) {
    const wanted = signals.map((name) => `${name}:${numbers[name] ?? 15}`);
    const argv = [shell, '-c', signalScript, 'sidecar-sweeper', ...wanted];
    return toAttempt(await cluster.exec(pod, container, argv, abort), shell, concludeExit);
  },
};

function concludeExit(exitCode: number, output: string): AttemptResult {
  const immune = /^immune (.*)$/m.exec(output)?.[1];
  if (immune !== undefined) return { kind: 'Immune', message: immune };
  if (/^sent /m.test(output)) return { kind: 'Accepted', message: output };
  // The script dies with the PID 1 that it ends, and what it said may be lost with it.
  return unconfirmedExit(exitCode, output, shell);
}
