import { randomBytes } from 'node:crypto';
import type { Store } from '../../world/store.ts';
import { type Answer, type ApiRequest, json } from '../answer.ts';
import type { ResourceInfo } from '../resources.ts';
import { badRequest, StatusError } from '../status.ts';
import { authorize } from './authorization.ts';

export interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

const anonymous: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

export const admin: User = {
  username: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
};

export function serviceAccountUser(namespace: string, name: string): User {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

export class Tokens {
  readonly #users = new Map<string, User>();

  issue(user: User): string {
    const token = randomBytes(24).toString('base64url');
    this.#users.set(token, user);
    return token;
  }

  /** The server refuses the token from now on, as if it had expired or been rotated. */
  revoke(token: string): void {
    this.#users.delete(token);
  }

  /** The user who sent the request. An unknown token is a 401; a request without one is anonymous. */
  authenticate(headers: ApiRequest['headers']): User {
    if (headers.authorization === undefined) return anonymous;
    const user = this.#users.get(bearerOf(headers) ?? '');
    if (!user) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    return user;
  }
}

export function bearerOf({ authorization = '' }: ApiRequest['headers']): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
}

const askedForNothing = {
  kind: 'Resource',
  ...{ verb: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: '' },
} as const;

/** The SelfSubjectAccessReview of authorization.k8s.io: "can I". */
export function review(
  store: Store,
  user: User,
  spec: { resourceAttributes?: Partial<ResourceInfo> },
): Answer {
  if (!spec.resourceAttributes) throw badRequest('spec must have resourceAttributes');
  const asked = { ...askedForNothing, ...spec.resourceAttributes };
  return json(201, {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: authorize(store, user, asked),
  });
}
