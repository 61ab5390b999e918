import type { ExecResult } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import type { Status } from '../http/problem.ts';
import { isContainerNotFound, saysUnreachable } from './handshake.ts';

/** What the last frame of an exec means. */
export function concludeStatus(status: Status, output: string): ExecResult {
  if (status.success) return { kind: 'Exited', exitCode: 0, output };
  const message = printable(status.message ?? 'the server gave no reason');
  if (status.reason === 'NonZeroExitCode') {
    const code = status.causes.find(({ reason }) => reason === 'ExitCode')?.message ?? '';
    return /^\d{1,3}$/.test(code) && Number(code) <= 255
      ? { kind: 'Exited', exitCode: Number(code), output }
      : { kind: 'Unconfirmed', message };
  }
  if (isContainerNotFound(message)) return { kind: 'NotThere', message };
  if (isNoSuchProgram(message)) return { kind: 'NoSuchProgram', message };
  if (saysUnreachable(message)) return { kind: 'Undelivered', message, silentNode: true };
  return { kind: 'Unconfirmed', message };
}

/**
 * runc: `exec: "/bin/sh": stat /bin/sh: no such file or directory`, `exec: "/bin/sh": permission denied`,
 * `exec: "sh": executable file not found in $PATH`; crun: "executable file `sh` not found in $PATH".
 */
function isNoSuchProgram(message: string): boolean {
  return (
    /exec: "[^"]*": (?:stat \S+: no such file or directory|executable file not found|permission denied)/.test(
      message,
    ) || /executable file `[^`]*` not found/.test(message)
  );
}
