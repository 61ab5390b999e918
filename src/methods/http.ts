import type { AttemptResult, HttpStep } from '../vocabulary.ts';
import type { ContainerMethod } from './method.ts';

/** Asks the sidecar's own endpoint to quit, through port-forward: no shell in the image is needed. */
export const http: ContainerMethod<HttpStep> = {
  flag: 'http',
  rbac: [{ apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] }],
  price: '',
  async send(cluster, pod, _container, step, signal) {
    const result = await cluster.request(pod, step.request, signal);
    switch (result.kind) {
      case 'Answered':
        return concludeStatus(result.status, step);
      case 'Closed':
        // Envoy and others are gone before they answer.
        return { kind: 'Accepted', message: 'closed without an answer' };
      case 'NotListening':
        return { kind: 'Unsupported', message: result.message };
      case 'NotThere':
        return { kind: 'Undelivered', message: result.message };
      case 'Refused':
      case 'Undelivered':
      case 'Unconfirmed':
        return { kind: result.kind, message: result.message };
    }
  },
};

function concludeStatus(status: number, { request }: HttpStep): AttemptResult {
  const isYes =
    request.statuses.length > 0 ? request.statuses.includes(status) : status >= 200 && status < 300;
  // Linkerd, Vault and cloud-sql-proxy answer 404 while their endpoint is switched off.
  return isYes ? { kind: 'Accepted' } : { kind: 'Unsupported', message: `HTTP ${status}` };
}
