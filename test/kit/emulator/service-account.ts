import { ensureNamespace, ensureObject } from './ensure.ts';
import type { PolicyRule } from './handlers/access/authorization.ts';
import type { World } from './world/world.ts';

/** A service account to create, with its permissions. */
export interface ServiceAccountOptions {
  readonly namespace: string;
  readonly name: string;
  /** Without rules, only existing roles and bindings apply. */
  readonly rules?: readonly PolicyRule[];
  readonly scope?: 'Cluster' | 'Namespace';
}

/** Creates the account with its namespace and, if rules are given, a role and a binding for it. */
export function createServiceAccount(world: World, account: ServiceAccountOptions): void {
  const { namespace, name, rules, scope = 'Cluster' } = account;
  ensureNamespace(world, namespace);
  ensureObject(world, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
  if (!rules) return;
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const kind = scope === 'Cluster' ? 'ClusterRole' : 'Role';
  const metadata = scope === 'Cluster' ? { name: `${namespace}:${name}` } : { namespace, name };
  const { store } = world;
  store.create(`${kind.toLowerCase()}s`, { apiVersion, kind, metadata, rules });
  store.create(`${kind.toLowerCase()}bindings`, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
    roleRef: { kind, apiGroup: 'rbac.authorization.k8s.io', name: metadata.name },
  });
}
