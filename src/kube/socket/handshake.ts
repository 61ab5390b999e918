import type { ExecResult } from '../../ports.ts';
import { parseStatus, problemOf } from '../http/problem.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { parseJson } from '../json.ts';

/** How the API server refuses the upgrade to a WebSocket. */
export type Refusal = Extract<
  ExecResult,
  { readonly kind: 'NotThere' | 'Refused' | 'Busy' | 'Undelivered' | 'Unconfirmed' }
>;

/** What it means that the server answered instead of upgrading to a WebSocket. */
export function refuseHandshake(
  httpStatus: number,
  body: string,
  resource: string,
  retryAfter?: string,
): Refusal {
  const { message } = problemOf(httpStatus, body);
  switch (httpStatus) {
    case 401:
      // A token that expired, or a webhook that did not answer: it says nothing of permissions.
      return { kind: 'Undelivered', message };
    case 403:
      // Since 1.35, the verb create is needed too, and the API server's message does not name it.
      // A 403 without a body is about the subprotocol, which a proxy must have removed.
      return {
        kind: 'Refused',
        message: body.trim() === '' ? message : `${resource} needs the verbs get and create: ${message}`,
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
    case 503:
      return { kind: 'Busy', message, retryAfter: parseRetryAfter(retryAfter) };
    default:
      if (isContainerNotFound(body)) return { kind: 'NotThere', message };
      if (saysUnreachable(body)) return { kind: 'Undelivered', message, silentNode: true };
      // A gateway has handed it on, and waited in vain for the answer. With 502, it mostly found nobody to hand it to:
      // https://www.rfc-editor.org/rfc/rfc9110#name-504-gateway-timeout
      return { kind: httpStatus === 504 ? 'Unconfirmed' : 'Undelivered', message };
  }
}

/** Whoever stands between, or the node's kubelet, speaks no WebSocket: a virtual kubelet may not. Nothing was run. */
function notUpgraded(resource: string, message: string): Refusal {
  return {
    kind: 'Undelivered',
    message: `${resource} needs an upgraded connection: ${message}`,
    noUpgrade: true,
  };
}

/**
 * Of a pod or a container that it cannot run anything in, the API server sends a Status. Without the headers of an upgrade, which
 * proxies take away, it says `Upgrade request required` (apimachinery's upgradeaware.go), and the kubelet that they are missing.
 */
function isAboutUpgrade(body: string): boolean {
  if (isContainerNotFound(body)) return false;
  return (
    parseStatus(parseJson(body)) === undefined || /upgrade re(?:quest|quired)|upgrade headers/i.test(body)
  );
}

/** What the API server itself says when it cannot reach the kubelet. */
export function saysUnreachable(message: string): boolean {
  return /error sending request|error dialing backend/.test(message);
}

/** Whether the kubelet says that the container is not running. */
export function isContainerNotFound(message: string): boolean {
  return message.includes('container not found');
}
