import type { ExecResult } from '../ports.ts';
import { printable } from '../printable.ts';
import { problemOf, type Status } from './problem.ts';

/** What an answer means that came in place of the upgrade to a WebSocket. */
export function refuseHandshake(httpStatus: number, body: string, resource: string): ExecResult {
  const { message } = problemOf(httpStatus, body);
  switch (httpStatus) {
    case 401:
      return { kind: 'Refused', message };
    case 403:
      // Since 1.35 the verb create is needed as well, and the API server's message then ends in nothing at all.
      // A 403 without a body is about the subprotocol, which some proxy must have taken away.
      return {
        kind: 'Refused',
        message: body.trim() === '' ? message : `${resource} needs the verbs get and create: ${message}`,
      };
    case 400:
    case 404:
      // A 404 may name the node instead of the pod: it does not mean that the pod is gone.
      return { kind: 'NotThere', message };
    default:
      return isContainerNotFound(body) ? { kind: 'NotThere', message } : { kind: 'Undelivered', message };
  }
}

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
  // The API server's own words for a kubelet that it could not reach.
  if (/error sending request|error dialing backend/.test(message)) return { kind: 'Undelivered', message };
  return { kind: 'Unconfirmed', message };
}

function isContainerNotFound(message: string): boolean {
  return message.includes('container not found');
}

/**
 * runc: `exec: "/bin/sh": stat /bin/sh: no such file or directory`, `exec: "sh": executable file not found in $PATH`,
 * `exec: "/bin/sh": permission denied`; crun: "executable file `sh` not found in $PATH".
 */
function isNoSuchProgram(message: string): boolean {
  return (
    /exec: "[^"]*": (?:stat \S+: no such file or directory|executable file not found|permission denied)/.test(
      message,
    ) || /executable file `[^`]*` not found/.test(message)
  );
}
