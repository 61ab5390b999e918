import { randomBytes } from 'node:crypto';
import type { KubeObject } from '../world/objects.ts';
import type { Store } from '../world/store.ts';
import { type Answer, type ApiRequest, json } from './answer.ts';
import { noResource, type RequestInfo, type ResourceInfo } from './resources.ts';
import { badRequest, StatusError } from './status.ts';

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
    // `--as`; only the admin may.
    const username = headers['impersonate-user'];
    if (username === undefined || !user.groups.includes('system:masters')) return user;
    return { username, groups: ['system:authenticated'] };
  }
}

export function bearerOf({ authorization = '' }: ApiRequest['headers']): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
}

export function review(
  store: Store,
  user: User,
  spec: { resourceAttributes?: Partial<ResourceInfo> },
): Answer {
  if (!spec.resourceAttributes) throw badRequest('spec must have resourceAttributes');
  const asked = { ...noResource, ...spec.resourceAttributes };
  return json(201, {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec,
    status: authorize(store, user, asked),
  });
}

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export type Decision = { readonly allowed: true; readonly reason?: string } | { readonly allowed: false };

interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
}

interface Binding extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: { readonly kind: string; readonly name: string };
}

/** Evaluates the RBAC roles and bindings in the store. system:masters bypasses RBAC and gets no reason. */
export function authorize(store: Store, user: User, info: RequestInfo): Decision {
  if (user.groups.includes('system:masters')) return { allowed: true };
  const { namespace } = info.kind === 'Resource' ? info : noResource;
  const bindings = [
    ...store.list<Binding>('clusterrolebindings'),
    ...(namespace === '' ? [] : store.list<Binding>('rolebindings', namespace)),
  ];
  for (const { rule, because } of grantsOf(store, user, bindings)) {
    if (ruleCovers(rule, info)) return { allowed: true, reason: `RBAC: allowed by ${because}` };
  }
  return { allowed: false };
}

interface Grant {
  readonly rule: PolicyRule;
  readonly because: string;
}

function* grantsOf(store: Store, user: User, bindings: readonly Binding[]): Generator<Grant> {
  for (const binding of bindings) {
    const { name, namespace } = binding.metadata;
    const subject = binding.subjects?.find((each) => subjectIs(each, user, namespace));
    if (!subject) continue;
    const { kind, name: role } = binding.roleRef;
    const found =
      kind === 'Role' ? store.get('roles', namespace, role) : store.get('clusterroles', undefined, role);
    const bound = namespace ? `RoleBinding "${name}/${namespace}"` : `ClusterRoleBinding "${name}"`;
    const because = `${bound} of ${kind} "${role}" to ${describe(subject, namespace)}`;
    for (const rule of (found?.['rules'] ?? []) as PolicyRule[]) yield { rule, because };
  }
}

function subjectIs(subject: Subject, user: User, bindingNamespace: string | undefined): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === user.username;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount':
      return (
        user.username === `system:serviceaccount:${subject.namespace ?? bindingNamespace}:${subject.name}`
      );
  }
}

function describe(subject: Subject, bindingNamespace: string | undefined): string {
  if (subject.kind !== 'ServiceAccount') return `${subject.kind} "${subject.name}"`;
  return `ServiceAccount "${subject.name}/${subject.namespace ?? bindingNamespace ?? ''}"`;
}

function ruleCovers(rule: PolicyRule, info: RequestInfo): boolean {
  if (!has(rule.verbs, info.verb)) return false;
  if (info.kind === 'NonResource') {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url.endsWith('*') ? info.path.startsWith(url.slice(0, -1)) : info.path === url,
    );
  }
  const { apiGroups, resources = [], resourceNames = [] } = rule;
  const { group, resource, subresource, name } = info;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const isCovered =
    has(resources, combined) || (subresource !== '' && resources.includes(`*/${subresource}`));
  return has(apiGroups, group) && isCovered && (resourceNames.length === 0 || resourceNames.includes(name));
}

function has(list: readonly string[] = [], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted);
}

export function denial(user: User, info: ResourceInfo): string {
  const { verb, group, resource, subresource, namespace } = info;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${user.username}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`;
}

// biome-ignore format: as many as fit on a line
const discovery = [
  '/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi', '/openapi/*', '/readyz',
];
const versions = ['/version', '/version/'];

/** The default ClusterRoles of every cluster, reduced to what ordinary users need. */
const roles = [
  {
    name: 'cluster-admin',
    group: 'system:masters',
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  },
  {
    name: 'system:basic-user',
    group: 'system:authenticated',
    rules: [
      { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews'], verbs: ['create'] },
    ],
  },
  {
    name: 'system:discovery',
    group: 'system:authenticated',
    rules: [{ nonResourceURLs: [...discovery, ...versions], verbs: ['get'] }],
  },
  {
    name: 'system:public-info-viewer',
    group: 'system:unauthenticated',
    rules: [{ nonResourceURLs: ['/healthz', '/livez', '/readyz', ...versions], verbs: ['get'] }],
  },
];

const apiVersion = 'rbac.authorization.k8s.io/v1';
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

export function createBootstrapPolicy(store: Store): void {
  for (const { name, group, rules } of roles) {
    store.create('clusterroles', { apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules });
    store.create('clusterrolebindings', {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group }],
      roleRef: { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name },
    });
  }
}
