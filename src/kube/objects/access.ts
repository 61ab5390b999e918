import type { Cluster } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import { refusal, unexpected } from '../client/answer.ts';
import type { Over, Transport } from '../client/transport.ts';
import { AuthorizationV1Api, typedCall } from '../client/typed.ts';

/** Every account may ask about its own permissions. */
export const mayI: Over<Pick<Transport, 'ask' | 'redact'>, Cluster['mayI']> = async (
  transport,
  permission,
  abort,
) => {
  const kind = 'SelfSubjectAccessReview';
  const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec: { resourceAttributes: permission } };
  const { answer, object } = await typedCall(
    AuthorizationV1Api,
    kind,
    { redact: transport.redact, send: ({ path, body }) => transport.ask(path, body, abort) },
    (api) => api.createSelfSubjectAccessReview({ body }),
  );
  if (answer.kind === 'Unanswered' || answer.status >= 300) {
    return { kind: 'Unreadable', problem: refusal(answer) };
  }
  const allowed: unknown = object?.status?.allowed;
  if (answer.status !== 201 || typeof allowed !== 'boolean') {
    return { kind: 'Unreadable', problem: unexpected(`a ${kind}`, answer.body) };
  }
  const error: unknown = object?.status?.evaluationError;
  // A webhook that authorizes did not answer, so that nothing was denied.
  if (!allowed && typeof error === 'string' && error !== '') {
    return { kind: 'Unreadable', problem: { kind: 'Rejected', message: printable(transport.redact(error)) } };
  }
  return { kind: allowed ? 'Allowed' : 'Denied' };
};
