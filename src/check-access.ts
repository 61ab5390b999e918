import { createPermissionAsker } from './facts/permissions.ts';
import { flagOf, methods } from './methods/index.ts';
import { needs, permissionsOf, type RbacRule } from './methods/permissions.ts';
import type { Access, Cluster, Connected } from './model/ports.ts';
import type { Policy } from './policy/policy.ts';
import type { AccessReport, CheckedPermission } from './report/access.ts';
import { createSlots } from './util/concurrency.ts';
import { distinct, groupsOf } from './util/groups.ts';

interface CheckAccessOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster & Connected, 'mayI' | 'warnings'>;
  /** The namespace of the Lease; undefined if the sweep would not take one. */
  readonly lockNamespace: string | undefined;
  readonly stop: AbortSignal;
}

const allowedBy: Readonly<Record<Access['kind'], CheckedPermission['allowed']>> = {
  Allowed: 'Yes',
  Denied: 'No',
  Unreadable: 'Unknown',
};

/** Asks the API server whether the account has the permissions that a sweep needs; a problem says why an answer is missing. */
export async function checkAccess(options: CheckAccessOptions) {
  const { cluster, stop } = options;
  const ask = createPermissionAsker(cluster, createSlots(), stop);
  const answers = await Promise.all(
    wantedFor(needsOf(options)).map(async (wanted) => ({ ...wanted, access: await ask(wanted.permission) })),
  );
  const permissions = answers.map(({ permission, isOptional, for: users, access }) => ({
    ...permission,
    for: users,
    ...(isOptional && { optional: true as const }),
    allowed: allowedBy[access.kind],
  }));
  const [problem] = answers.flatMap(({ access }) => (access.kind === 'Unreadable' ? [access.problem] : []));
  const report: AccessReport = {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'AccessReport',
    permissions,
    rulesToAdd: rulesToAdd(permissions),
    warnings: cluster.warnings,
  };
  return { report, problem };
}

interface Need {
  readonly for: string;
  readonly rules: readonly RbacRule[];
  /** Whether a sweep works without: with more requests or image swaps, or a report that contains less. */
  readonly isOptional?: true;
  /** Undefined means all namespaces, or none if the resource is cluster-scoped. */
  readonly namespaces: readonly (string | undefined)[];
}

function needsOf({ policy, lockNamespace }: CheckAccessOptions): readonly Need[] {
  const { namespaces: named, namespaceSelector } = policy.scope;
  const isNamed = named.length > 0;
  const namespaces = isNamed ? named : [undefined];
  const everywhere = [undefined];
  const optional = { isOptional: true } as const;
  const steps = [policy.swap, ...policy.lastResort, ...policy.catalogue.flatMap((profile) => profile.steps)];
  const chosen = new Set(steps.map((step) => step?.method));
  const used = methods.filter(({ name, ends }) => ends === 'Container' || chosen.has(name));
  return [
    { ...needs.pods, namespaces },
    // A Role may grant get on its own namespace; lists are of the whole cluster, and a selector requires them.
    { ...needs.namespaces, namespaces },
    namespaceSelector === undefined
      ? { ...needs.namespaces.bulk, ...optional, namespaces: everywhere }
      : { ...needs.namespaces.bulk, for: 'select namespaces by their labels', namespaces: everywhere },
    // Permission to read all namespaces includes this one.
    ...(isNamed ? [{ ...needs.identity, ...optional, namespaces: ['kube-system'] }] : []),
    { ...needs.jobs, namespaces },
    { ...needs.jobs.bulk, ...optional, namespaces },
    ...(policy.raiseBackoffLimit ? [{ ...needs['raise-backoff-limit'], namespaces }] : []),
    { ...needs.nodes, namespaces: everywhere },
    { ...needs.nodes.bulk, ...optional, namespaces: everywhere },
    ...used.map(({ name, rbac, ends }) => {
      // An image swap ends any sidecar that could not be asked.
      const isSpared = policy.swap !== undefined && ends === 'Container';
      return { for: flagOf(name), rules: rbac, namespaces, ...(isSpared && optional) };
    }),
    ...(policy.keepLogs > 0 ? [{ ...needs.logs, namespaces }] : []),
    ...(policy.events ? [{ ...needs.events, namespaces }] : []),
    ...(lockNamespace === undefined ? [] : [{ ...needs.lease, namespaces: [lockNamespace] }]),
  ];
}

function wantedFor(all: readonly Need[]) {
  const wanted = all.flatMap(({ rules, namespaces, ...need }) =>
    namespaces
      .flatMap((namespace) => rules.flatMap((rule) => permissionsOf(rule, namespace)))
      .map((permission) => ({ ...need, permission })),
  );
  return groupsOf(wanted, ({ permission }) => JSON.stringify(permission)).map((same) => ({
    ...same[0],
    for: distinct(same.map((one) => one.for)).join(', '),
  }));
}

/** The missing RBAC rules by namespace, without optional ones: one for each resource, with all its verbs and the names of its objects. */
function rulesToAdd(checked: readonly CheckedPermission[]): AccessReport['rulesToAdd'] {
  const missing = checked.filter(({ allowed, optional }) => allowed === 'No' && !optional);
  const pathOf = ({ resource, subresource }: CheckedPermission) =>
    subresource === undefined ? resource : `${resource}/${subresource}`;
  return groupsOf(missing, ({ namespace = '' }) => namespace).map((own) => ({
    ...(own[0].namespace !== undefined && { namespace: own[0].namespace }),
    rules: groupsOf(own, (one) => `${one.group} ${pathOf(one)} ${one.name !== undefined}`).map((same) => ({
      apiGroups: [same[0].group],
      resources: [pathOf(same[0])],
      verbs: distinct(same.map(({ verb }) => verb)),
      ...(same[0].name !== undefined && { resourceNames: distinct(same.flatMap(({ name }) => name ?? [])) }),
    })),
  }));
}
