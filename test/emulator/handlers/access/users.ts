import { randomBytes } from 'node:crypto';
import type { ApiRequest } from '../answer.ts';
import { StatusError } from '../status.ts';

export interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

const anonymous: User = { username: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Who may do everything. */
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

/** The bearer tokens the server knows, and whose they are. */
export class Tokens {
  readonly #users = new Map<string, User>();

  issue(user: User): string {
    const token = randomBytes(24).toString('base64url');
    this.#users.set(token, user);
    return token;
  }

  /** From now on the token is refused, as one that expired or was rotated. */
  revoke(token: string): void {
    this.#users.delete(token);
  }

  /** Whose request it is. A token that is not known is 401; none at all is the anonymous user. */
  authenticate(headers: ApiRequest['headers']): User {
    const { authorization } = headers;
    if (authorization === undefined) return anonymous;
    const [, token = ''] = /^Bearer\s+(\S+)$/i.exec(authorization) ?? [];
    const user = this.#users.get(token);
    if (!user) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
    return impersonated(user, headers);
  }
}

/** `kubectl --as`: only the admin may be someone else here. */
function impersonated(user: User, headers: ApiRequest['headers']): User {
  const username = headers['impersonate-user'];
  if (username === undefined || !user.groups.includes('system:masters')) return user;
  const [, , namespace, name] = username.split(':');
  if (username.startsWith('system:serviceaccount:') && namespace && name) {
    return serviceAccountUser(namespace, name);
  }
  const groups = (headers['impersonate-group'] ?? '').split(',').map((group) => group.trim());
  return { username, groups: [...groups.filter(Boolean), 'system:authenticated'] };
}
