import type { Access, Allowed } from '../ports.ts';
import { isRecord, parseJson } from './problem.ts';
import type { Transport } from './transport.ts';

/** Asks the API server whether we may; every account may ask about itself. */
export async function mayI(
  transport: Transport,
  { verb, group, resource, subresource, namespace }: Access,
  signal: AbortSignal,
): Promise<Allowed> {
  const resourceAttributes = {
    verb,
    group,
    resource,
    ...(subresource !== undefined && { subresource }),
    ...(namespace !== undefined && { namespace }),
  };
  const answer = await transport.send(
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      },
    },
    signal,
  );
  if (answer.kind === 'Unanswered' || answer.status !== 201) return 'Unknown';
  const review = parseJson(answer.body);
  const status = isRecord(review) && isRecord(review['status']) ? review['status'] : {};
  if (typeof status['allowed'] !== 'boolean') return 'Unknown';
  return status['allowed'] ? 'Yes' : 'No';
}
