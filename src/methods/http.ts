import * as z from 'zod';
import type { HttpRequest } from '../model/ports.ts';
import { describePort, isNamedBy, port, portOf } from '../model/signs.ts';
import { withoutResult } from './attempt.ts';
import { defineMethod, type StepCommon, writtenStep } from './method.ts';
import { rule } from './permissions.ts';

export interface HttpStep extends StepCommon {
  readonly method: 'Http';
  readonly request: HttpRequest;
}

// Node's client throws on anything else, and on a path with spaces. https://www.rfc-editor.org/rfc/rfc9110#name-fields
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'write the name of a header');
const headerValue = z.string().regex(/^[\t -~]*$/, 'write a header in one line of ASCII');

const request = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']).default('POST').describe('the HTTP method; default: POST'),
  port,
  path: z
    .string()
    .regex(/^\/[!-~]*$/, 'write a path that starts with / and has no spaces')
    .describe('its path'),
  headers: z.record(headerName, headerValue).optional().describe('its headers'),
  statuses: z
    .array(z.int().min(100).max(599))
    .optional()
    .describe('the status codes that mean success; any 2xx, if left out'),
});

/** Asks the sidecar's own endpoint to quit, through port-forward; the image needs no shell. */
export const http = defineMethod({
  name: 'Http',
  ends: 'Container',
  rbac: [rule('', 'pods/portforward', 'get', 'create')],
  written: writtenStep('Http', {
    http: request.describe("a request to a port of the pod's loopback, through port-forward"),
  }),
  whyUnfit: (spec, { pod, container }) => {
    const found = portOf(spec.http.port, pod, container);
    if (found.kind !== 'Port') return { reason: 'Off', detail: found.detail };
    // A pod on the host's network has the node's loopback, where another process may listen.
    return pod.hostNetwork ? { reason: 'SeesTheNode', detail: 'hostNetwork' } : undefined;
  },
  // Permission to write an annotation does not imply permission to reach the pod's ports.
  isAdmitted: ({ http: asked }, { known }) =>
    known.some(
      ({ http: each }) => isNamedBy(asked.port, each.port) && identityOf(asked) === identityOf(each),
    ),
  toSteps: (spec, common, { pod, container }): readonly HttpStep[] => {
    const found = portOf(spec.http.port, pod, container);
    if (found.kind !== 'Port') return [];
    const { method, path, headers = {}, statuses = [] } = spec.http;
    return [{ ...common, method: 'Http', request: { method, port: found.port, path, headers, statuses } }];
  },
  describeSpec: ({ http: { method, port: written, path } }) => `${method} :${describePort(written)}${path}`,
  describe: ({ request }) => `${request.method} localhost:${request.port}${request.path}`,
  async send({ request }, { cluster, pod, abort }) {
    const result = await cluster.request(pod, request, abort);
    switch (result.kind) {
      case 'Answered': {
        const { status } = result;
        const { statuses } = request;
        const isYes = statuses.length > 0 ? statuses.includes(status) : status >= 200 && status < 300;
        if (isYes) return { kind: 'Accepted' };
        // Linkerd, Vault and cloud-sql-proxy answer 404 while their endpoint is off. A server that fails may have begun to quit.
        const isRefused = status < 200 || (status >= 300 && status < 500);
        return { kind: isRefused ? 'Unsupported' : 'Failed', message: `HTTP ${status}` };
      }
      case 'Closed':
        // Envoy and others exit before they answer; a broken connection looks the same.
        return { kind: 'Unconfirmed', message: 'the connection closed without an answer' };
      case 'NotListening':
        return { kind: 'Unsupported', message: result.message };
      case 'NotThere':
      case 'Refused':
      case 'Busy':
      case 'Undelivered':
      case 'Unconfirmed':
        return withoutResult(result);
    }
  },
});

/** Equal for requests that differ only in the port. */
function identityOf({ method, path, headers = {}, statuses = [] }: z.output<typeof request>): string {
  return JSON.stringify([method, path, Object.entries(headers).sort(), statuses]);
}
