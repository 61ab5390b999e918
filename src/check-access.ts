import { createSlots } from './apply/slots.ts';
import { methods } from './methods/index.ts';
import type { Rule } from './methods/method.ts';
import { needs } from './methods/needs.ts';
import { accessesOf } from './methods/rules.ts';
import { methodOf } from './plan/ladder.ts';
import type { Access, Cluster } from './ports.ts';
import type { AccessReport, CheckedAccess } from './report/access.ts';
import type { Policy } from './vocabulary.ts';

export interface CheckAccessOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'mayI'>;
  /** Whether events are to be written. */
  readonly events: boolean;
  /** Where the Lease is; undefined: none is taken. */
  readonly lockNamespace: string | undefined;
  /** Requests in flight at a time. */
  readonly concurrency: number;
  readonly stop: AbortSignal;
}

/** Asks the API server for every permission that a sweep with this policy needs. */
export async function checkAccess(options: CheckAccessOptions): Promise<AccessReport> {
  const { cluster, concurrency, stop } = options;
  const slots = createSlots(concurrency);
  const asked = new Map<string, { readonly access: Access; readonly for: Set<string> }>();
  for (const { for: what, rules, namespaces } of needsOf(options)) {
    for (const namespace of namespaces) {
      for (const access of rules.flatMap((rule) => accessesOf(rule, namespace))) {
        const key = JSON.stringify(access);
        const known = asked.get(key) ?? { access, for: new Set() };
        known.for.add(what);
        asked.set(key, known);
      }
    }
  }
  const checked = await Promise.all(
    [...asked.values()].map(async ({ access, for: names }) => ({
      ...access,
      for: [...names].join(', '),
      allowed: await slots(() => cluster.mayI(access, stop)),
    })),
  );
  return {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'AccessReport',
    access: checked,
    rulesToAdd: rulesToAdd(checked),
  };
}

interface Need {
  readonly for: string;
  readonly rules: readonly Rule[];
  /** Undefined: all, or none where the resource is the cluster's. */
  readonly namespaces: readonly (string | undefined)[];
}

/** What a sweep needs whatever the method, then each method that this policy lets it use. */
function needsOf({ policy, events, lockNamespace }: CheckAccessOptions): readonly Need[] {
  const { namespaces: named } = policy.scope;
  const namespaces = named.length > 0 ? named : [undefined];
  const used = [
    methods.Command,
    methods.Http,
    methods.Signal,
    methods.Tombstone,
    ...policy.lastResort.map((step) => methods[methodOf(step)]),
  ];
  return [
    { ...needs.look, namespaces },
    { ...needs.jobs, namespaces },
    { ...needs.nodes, namespaces: [undefined] },
    ...used.map(({ flag, rbac }) => ({ for: flag, rules: rbac, namespaces })),
    ...(events ? [{ ...needs.events, namespaces }] : []),
    ...(lockNamespace === undefined ? [] : [{ ...needs.lease, namespaces: [lockNamespace] }]),
  ];
}

/** The rules that are missing, as RBAC writes them: one a resource, with all its verbs. */
function rulesToAdd(checked: readonly CheckedAccess[]): AccessReport['rulesToAdd'] {
  const missing = checked.filter(({ allowed }) => allowed === 'No');
  const places = [...new Set(missing.map(({ namespace }) => namespace))];
  return places.map((place) => {
    const verbs = new Map<string, { readonly rule: Omit<Rule, 'verbs'>; readonly verbs: string[] }>();
    for (const { namespace, group, resource, subresource, verb } of missing) {
      if (namespace !== place) continue;
      const path = subresource === undefined ? resource : `${resource}/${subresource}`;
      const key = `${group} ${path}`;
      const known = verbs.get(key) ?? { rule: { apiGroups: [group], resources: [path] }, verbs: [] };
      known.verbs.push(verb);
      verbs.set(key, known);
    }
    const rules = [...verbs.values()].map(({ rule, verbs: wanted }) => ({ ...rule, verbs: wanted }));
    return { ...(place !== undefined && { namespace: place }), rules };
  });
}
