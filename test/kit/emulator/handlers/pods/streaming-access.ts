import { authorize } from '../access/authorization.ts';
import type { Call } from '../call.ts';
import { forbidden } from '../status.ts';

/**
 * Since Kubernetes 1.35, a WebSocket upgrade, which is an HTTP GET, also needs the verb `create`. The refusal
 * does not mention it.
 */
export function requireCreate({ backend, user, info, resource }: Call): void {
  if (info.verb === 'create') return;
  const decision = authorize(backend.store, user, { ...info, verb: 'create' });
  if (!decision.allowed) throw forbidden(resource, info.name, '');
}
