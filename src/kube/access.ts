import type { V1SelfSubjectAccessReview } from '@kubernetes/client-node';
import type { Allowed, Permission } from '../ports.ts';
import type { Transport } from './http/transport.ts';
import { parseJson, record } from './json.ts';
import type { Sent } from './sent.ts';

/** Asks the API server whether we have a permission; every account may ask about its own. */
export async function mayI(
  transport: Transport,
  permission: Permission,
  abort: AbortSignal,
): Promise<Allowed> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: permission },
  } satisfies Sent<V1SelfSubjectAccessReview>;
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await transport.ask(path, body, abort);
  if (answer.kind === 'Unanswered' || answer.status !== 201) return 'Unknown';
  const { allowed } = record(record(parseJson(answer.body))['status']);
  if (typeof allowed !== 'boolean') return 'Unknown';
  return allowed ? 'Yes' : 'No';
}
