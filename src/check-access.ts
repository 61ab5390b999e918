import { createPermissionAsker } from './facts/permissions.ts';
import { methodNamed, methods, rbacOf } from './methods/index.ts';
import { needs, permissionsOf, type RbacRule } from './methods/permissions.ts';
import type { Access, Cluster, Permission } from './model/ports.ts';
import type { Problem } from './model/reading.ts';
import type { Policy } from './policy/policy.ts';
import type { AccessReport, CheckedPermission } from './report/access/access.ts';
import { createSlots } from './util/concurrency.ts';

export interface CheckAccessOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'mayI'>;
  /** What is known before anything is asked. */
  readonly warnings: AccessReport['warnings'];
  /** Whether the sweep would write events. */
  readonly events: boolean;
  /** The namespace of the Lease; undefined if the sweep would not take one. */
  readonly lockNamespace: string | undefined;
  /** How many requests may be in flight. */
  readonly concurrency: number;
  readonly stop: AbortSignal;
}

export interface AccessCheck {
  readonly report: AccessReport;
  /** Why the answer about a permission is missing: the first of these. */
  readonly problem: Problem | undefined;
}

/** Asks the API server whether the account has the permissions that a sweep with this policy needs. */
export async function checkAccess(options: CheckAccessOptions): Promise<AccessCheck> {
  const { cluster, concurrency, stop, warnings } = options;
  const ask = createPermissionAsker(cluster, createSlots(concurrency), stop);
  const answers = await Promise.all(
    wantedFor(needsOf(options)).map(async (wanted) => ({ ...wanted, access: await ask(wanted.permission) })),
  );
  const permissions = answers.map(({ permission, isOptional, users, access }) => ({
    ...permission,
    for: [...users].join(', '),
    ...(isOptional && { optional: true as const }),
    allowed: allowedBy[access.kind],
  }));
  const [problem] = answers.flatMap(({ access }) => (access.kind === 'Unreadable' ? [access.problem] : []));
  const report: AccessReport = {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'AccessReport',
    permissions,
    rulesToAdd: rulesToAdd(permissions),
    warnings,
  };
  return { report, problem };
}

const allowedBy: Readonly<Record<Access['kind'], CheckedPermission['allowed']>> = {
  Allowed: 'Yes',
  Denied: 'No',
  Unreadable: 'Unknown',
};

interface Need {
  readonly for: string;
  readonly rules: readonly RbacRule[];
  /** Whether a sweep does without: by more requests, or with a report that says less. */
  readonly isOptional?: true;
  /** Undefined means all namespaces, or none if the resource is cluster-scoped. */
  readonly namespaces: readonly (string | undefined)[];
}

/** The needs of every sweep, and of each method that the policy lets it use. */
function needsOf({ policy, events, lockNamespace }: CheckAccessOptions): readonly Need[] {
  const { namespaces: named } = policy.scope;
  const namespaces = named.length > 0 ? named : [undefined];
  const own = methods.filter(({ ends }) => ends === 'Container');
  const used = [
    ...own.map(({ flag, rbac }) => ({ for: flag, rules: rbac })),
    ...[...(policy.swap ? [policy.swap] : []), ...policy.lastResort].map((spec) => ({
      for: methodNamed(spec.method).flag,
      rules: rbacOf(spec),
    })),
  ];
  return [
    { ...needs.look, namespaces },
    ...namespaceNeeds(policy.scope),
    // Who may read all namespaces may read this one.
    ...(named.length > 0
      ? [{ ...needs.identity, isOptional: true as const, namespaces: ['kube-system'] }]
      : []),
    { ...needs.jobs, namespaces },
    { ...needs.jobs.spares, isOptional: true, namespaces },
    ...(policy.raiseBackoffLimit ? [{ ...needs['raise-backoff-limit'], namespaces }] : []),
    { ...needs.nodes, namespaces: [undefined] },
    { ...needs.nodes.spares, isOptional: true, namespaces: [undefined] },
    ...used.map((need) => ({ ...need, namespaces })),
    ...(policy.keepLogs > 0 ? [{ ...needs.logs, namespaces }] : []),
    ...(events ? [{ ...needs.events, namespaces }] : []),
    ...(lockNamespace === undefined ? [] : [{ ...needs.lease, namespaces: [lockNamespace] }]),
  ];
}

/** A Role may grant get on its own namespace; lists are of the whole cluster, and a selector cannot do without. */
function namespaceNeeds({ namespaces, namespaceSelector }: Policy['scope']): readonly Need[] {
  const { namespaces: need } = needs;
  const list = { ...need.spares, namespaces: [undefined] };
  return [
    { ...need, namespaces: namespaces.length > 0 ? namespaces : [undefined] },
    namespaceSelector === undefined
      ? { ...list, isOptional: true }
      : { ...list, for: 'select namespaces by their labels' },
  ];
}

interface WantedPermission {
  readonly permission: Permission;
  readonly isOptional: boolean;
  readonly users: ReadonlySet<string>;
}

/** Each permission once, with everything that needs it. */
function wantedFor(all: readonly Need[]): readonly WantedPermission[] {
  const wanted = new Map<string, WantedPermission & { readonly users: Set<string> }>();
  for (const { for: user, rules, isOptional = false, namespaces } of all) {
    for (const permission of namespaces.flatMap((one) => rules.flatMap((rule) => permissionsOf(rule, one)))) {
      const key = JSON.stringify(permission);
      const known = wanted.get(key) ?? { permission, isOptional, users: new Set() };
      known.users.add(user);
      wanted.set(key, known);
    }
  }
  return [...wanted.values()];
}

/** The missing RBAC rules by namespace, without optional ones: one for each resource, with all its verbs. */
function rulesToAdd(checked: readonly CheckedPermission[]): AccessReport['rulesToAdd'] {
  const missing = checked.filter(({ allowed, optional }) => allowed === 'No' && !optional);
  const places = [...new Set(missing.map(({ namespace }) => namespace))];
  return places.map((place) => {
    const verbs = new Map<
      string,
      { readonly group: string; readonly path: string; readonly verbs: string[] }
    >();
    for (const { namespace, group, resource, subresource, verb } of missing) {
      if (namespace !== place) continue;
      const path = subresource === undefined ? resource : `${resource}/${subresource}`;
      const known = verbs.get(`${group} ${path}`) ?? { group, path, verbs: [] };
      known.verbs.push(verb);
      verbs.set(`${group} ${path}`, known);
    }
    const rules = [...verbs.values()].map((one) => ({
      apiGroups: [one.group],
      resources: [one.path],
      verbs: one.verbs,
    }));
    return { ...(place !== undefined && { namespace: place }), rules };
  });
}
