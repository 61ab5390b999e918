import type { Permission } from '../model/ports.ts';
import type { Problem } from '../model/reading.ts';

/** A rule of a Role, as RBAC writes it. */
export interface RbacRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Only these objects. */
  readonly resourceNames?: readonly string[];
}

export interface Permissions {
  allow(rules: readonly RbacRule[], namespace: string): boolean;
}

/** Rules in words: `get, create on pods/exec`. */
export function describeRbac(rules: readonly RbacRule[]): string {
  return rules.map(({ verbs, resources }) => `${verbs.join(', ')} on ${resources.join(', ')}`).join('; ');
}

/** The missing permissions, in words and as entries for a Role's `rules`. */
export function describeGrant(rules: readonly RbacRule[]): string {
  const list = (words: readonly string[]) => `[${words.map((word) => word || '""').join(', ')}]`;
  const lines = rules.map(({ apiGroups, resources, verbs, resourceNames }) => {
    const names = resourceNames ? `, resourceNames: ${list(resourceNames)}` : '';
    return `- {apiGroups: ${list(apiGroups)}, resources: ${list(resources)}, verbs: ${list(verbs)}${names}}`;
  });
  return `grant ${describeRbac(rules)} with the rule ${lines.join(' and the rule ')}`;
}

/** Why a request failed and, if it was forbidden, the rules that would allow it. */
export function withGrant({ kind, message, isForeign }: Problem, rules: readonly RbacRule[]): string {
  return kind === 'Forbidden' && !isForeign ? `${message}; ${describeGrant(rules)}` : message;
}

export function permissionsOf(
  { apiGroups, resources, verbs, resourceNames = [] }: RbacRule,
  namespace: string | undefined,
): readonly Permission[] {
  const names = resourceNames.length > 0 ? resourceNames.map((name) => ({ name })) : [{}];
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource] = path.split('/');
      const of = { group, resource, ...(subresource && { subresource }), ...(namespace && { namespace }) };
      return verbs.flatMap((verb) => names.map((name) => ({ verb, ...of, ...name })));
    }),
  );
}

export function rule(group: string, resource: string, ...verbs: readonly string[]): RbacRule {
  return { apiGroups: [group], resources: [resource], verbs };
}

export const execRule = rule('', 'pods/exec', 'get', 'create');

interface Need {
  readonly for: string;
  readonly rules: readonly RbacRule[];
  /** Optional: reads many of them with one request. */
  readonly bulk?: Need;
}

function need(purpose: string, ...rules: readonly RbacRule[]): Need {
  return { for: purpose, rules };
}

/** What a sweep needs besides the permissions of its methods; only `pods` and `namespaces` are required. */
export const needs = {
  pods: need('find stuck pods and verify the result', rule('', 'pods', 'get', 'list')),
  jobs: {
    ...need('find injected containers and what an unclean end costs', rule('batch', 'jobs', 'get')),
    bulk: need('read many Jobs at once', rule('batch', 'jobs', 'list')),
  },
  'raise-backoff-limit': need('raise the backoffLimit for image swaps', rule('batch', 'jobs', 'patch')),
  namespaces: {
    ...need('respect namespaces that opted out', rule('', 'namespaces', 'get')),
    bulk: need('read many namespaces at once', rule('', 'namespaces', 'list')),
  },
  identity: need('identify the cluster', {
    ...rule('', 'namespaces', 'get'),
    resourceNames: ['kube-system'],
  }),
  nodes: {
    ...need('skip pods on nodes that are not ready', rule('', 'nodes', 'get')),
    bulk: need('read many nodes at once', rule('', 'nodes', 'list')),
  },
  logs: need('keep logs that a swap would delete', rule('', 'pods/log', 'get')),
  events: need('write events on pods and Jobs', rule('events.k8s.io', 'events', 'create')),
  lease: need('prevent concurrent sweeps', rule('coordination.k8s.io', 'leases', 'create'), {
    ...rule('coordination.k8s.io', 'leases', 'get', 'update'),
    resourceNames: ['sidecar-sweeper', 'sidecar-sweeper-learnt'],
  }),
} as const satisfies Record<string, Need>;
