import type { ExecResult } from '../../ports.ts';
import { problemOf } from '../http/problem.ts';
import { parseRetryAfter } from '../http/retry-after.ts';

/** How the API server refuses the upgrade to a WebSocket. */
export type Refusal = Extract<ExecResult, { readonly kind: 'NotThere' | 'Refused' | 'Busy' | 'Undelivered' }>;

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
    case 404:
      // A 404 may be about the node, so it does not mean that the pod is gone.
      return { kind: 'NotThere', message };
    case 429:
    case 503:
      return { kind: 'Busy', message, retryAfter: parseRetryAfter(retryAfter) };
    default:
      if (isContainerNotFound(body)) return { kind: 'NotThere', message };
      return { kind: 'Undelivered', message, ...(saysUnreachable(body) && { silentNode: true }) };
  }
}

/** What the API server itself says when it cannot reach the kubelet. */
export function saysUnreachable(message: string): boolean {
  return /error sending request|error dialing backend/.test(message);
}

/** Whether the kubelet says that the container is not running. */
export function isContainerNotFound(message: string): boolean {
  return message.includes('container not found');
}
