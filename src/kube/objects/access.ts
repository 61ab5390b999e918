import type { V1SelfSubjectAccessReview } from '@kubernetes/client-node';
import type { Access, Permission } from '../../model/ports.ts';
import { refusal, unexpected } from '../client/answer.ts';
import type { Transport } from '../client/transport.ts';
import { parseJson, record, type Sent } from '../json.ts';

/** Asks the API server whether we have a permission; every account may ask about its own. */
export async function mayI(
  transport: Transport,
  permission: Permission,
  abort: AbortSignal,
): Promise<Access> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: permission },
  } satisfies Sent<V1SelfSubjectAccessReview>;
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await transport.ask(path, body, abort);
  if (answer.kind === 'Unanswered' || answer.status >= 300) {
    return { kind: 'Unreadable', problem: refusal(answer) };
  }
  const { allowed } = record(record(parseJson(answer.body))['status']);
  if (answer.status !== 201 || typeof allowed !== 'boolean') {
    return { kind: 'Unreadable', problem: unexpected(`a ${body.kind}`, transport.redact(answer.body)) };
  }
  return { kind: allowed ? 'Allowed' : 'Denied' };
}
