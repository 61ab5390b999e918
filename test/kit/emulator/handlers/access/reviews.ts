import type { Store } from '../../world/store.ts';
import { type Answer, json } from '../answer.ts';
import { badRequest } from '../status.ts';
import { authorize } from './authorization.ts';
import type { User } from './users.ts';

interface ReviewSpec {
  readonly resourceAttributes?: Readonly<Record<string, string>>;
}

/** The SelfSubjectAccessReview of authorization.k8s.io: "can I". */
export function review(store: Store, user: User, spec: ReviewSpec): Answer {
  if (!spec.resourceAttributes) throw badRequest('spec must have resourceAttributes');
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = spec.resourceAttributes;
  const asked = { verb, group, version, resource, subresource, namespace, name };
  return json(201, {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: authorize(store, user, { kind: 'Resource', ...asked }),
  });
}
