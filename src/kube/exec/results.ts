import type { ExecResult, RequestFailure } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import { isUnadmitted, problemOf, type Status, statusIn } from '../client/answer.ts';
import { parseRetryAfter } from '../client/busy.ts';

export function refuseHandshake(
  httpStatus: number,
  body: string,
  resource: string,
  retryAfter?: string,
): RequestFailure {
  const { message } = problemOf(httpStatus, body);
  // With 400 by a webhook that gives no code, with 422 by a policy (apiserver, plugin/webhook/errors and plugin/policy/validating).
  if (httpStatus !== 429 && /\bdenied (?:the )?request\b/.test(statusIn(body)?.message ?? '')) {
    return { kind: 'Refused', message };
  }
  switch (httpStatus) {
    case 401:
      // A token that expired, or a webhook that did not answer: it says nothing of permissions.
      return { kind: 'Undelivered', message };
    case 403:
      // Without a body, it is about the subprotocol, which a proxy must have removed (recorded: exec-no-protocol).
      if (body === '') return notUpgraded(resource, message);
      // Any other 403 without a Status comes from a proxy.
      return {
        kind: 'Refused',
        message: lacksVerb(body) ? `${resource} needs the verbs get and create: ${message}` : message,
      };
    case 400:
      return isAboutUpgrade(body) ? notUpgraded(resource, message) : { kind: 'NotThere', message };
    case 404:
      // It may be about the node, so it does not mean that the pod is gone.
      return { kind: 'NotThere', message };
    case 405:
    case 426:
    case 501:
      return notUpgraded(resource, message);
    case 429:
      return { kind: 'Busy', message, retryAfterMs: parseRetryAfter(retryAfter) };
    default:
      if (isContainerNotFound(body)) return { kind: 'NotThere', message };
      if (saysUnreachable(body)) return { kind: 'Undelivered', message, silentNode: true };
      // A tunnel that did not open has carried no request.
      if (resource === 'pods/exec' && mayHaveRun(httpStatus, body))
        return { kind: 'Unconfirmed', message, unopened: true };
      return httpStatus === 503
        ? { kind: 'Busy', message, retryAfterMs: parseRetryAfter(retryAfter) }
        : { kind: 'Undelivered', message };
  }
}

/** Since 1.35, the verb create is needed too, and the API server's message, which ends with a colon, does not name it. */
function lacksVerb(body: string): boolean {
  return /is forbidden:(?: User |\s*$)/.test(statusIn(body)?.message ?? '');
}

/**
 * A gateway that has lost a request answers with 502 (nginx), 503 (Envoy), 504 or a code of its own, such as 520. Kubernetes refuses
 * with a Status, so nothing was done, unless it lost its connection to the kubelet.
 */
function mayHaveRun(httpStatus: number, body: string): boolean {
  if (httpStatus === 500) return brokeOff(body) && !isUnadmitted(body);
  return httpStatus === 504 || (httpStatus > 501 && statusIn(body) === undefined);
}

/** A proxy or the kubelet does not support WebSockets, so nothing was run. */
function notUpgraded(resource: string, message: string): RequestFailure {
  return {
    kind: 'Undelivered',
    message: `${resource} needs an upgraded connection: ${message}`,
    noUpgrade: true,
  };
}

/** For a bad pod, the API server sends a Status; without the upgrade's headers, `Upgrade request required` (apimachinery's upgradeaware.go). */
function isAboutUpgrade(body: string): boolean {
  if (isContainerNotFound(body)) return false;
  return statusIn(body) === undefined || /upgrade re(?:quest|quired)|upgrade headers/i.test(body);
}

/** Whether these are the API server's own words for a kubelet that it cannot reach. */
function saysUnreachable(message: string): boolean {
  return /error sending request|error dialing backend/.test(message) && !brokeOff(message);
}

/** Whether the API server lost a connection to the kubelet that it had. */
function brokeOff(message: string): boolean {
  return /\bEOF\b|connection reset by peer|broken pipe/.test(message) && !/\bdial/.test(message);
}

function isContainerNotFound(message: string): boolean {
  return message.includes('container not found');
}

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
 * `exec: "sh": executable file not found in $PATH`; crun: "executable file `sh` not found in $PATH"; Kata: `the file sh was not found`;
 * gVisor: `failed to load /bin/sh: no such file or directory`.
 */
function isNoSuchProgram(message: string): boolean {
  return (
    /exec: "[^"]*": (?:stat \S+: no such file or directory|executable file not found|permission denied)/.test(
      message,
    ) ||
    /executable file `[^`]*` not found|the file \S+ was not found|failed to load \S+: no such file/.test(
      message,
    )
  );
}
