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

/** What the account may do, as far as it was asked. */
export interface Permissions {
  allow(rules: readonly RbacRule[], namespace: string): boolean;
}

/** Rules in words: `get, create on pods/exec`. */
export function describeRbac(rules: readonly RbacRule[]): string {
  return rules.map(({ verbs, resources }) => `${verbs.join(', ')} on ${resources.join(', ')}`).join('; ');
}

/** What to do about missing permissions: the same, and as it stands under `rules` of a Role. */
export function describeGrant(rules: readonly RbacRule[]): string {
  const list = (words: readonly string[]) => `[${words.map((word) => word || '""').join(', ')}]`;
  const lines = rules.map(
    ({ apiGroups, resources, verbs }) =>
      `- {apiGroups: ${list(apiGroups)}, resources: ${list(resources)}, verbs: ${list(verbs)}}`,
  );
  return `grant ${describeRbac(rules)} by the rule ${lines.join(' ')}`;
}

/** Why a request failed, and the rules that would allow it. */
export function withGrant({ kind, message, isForeign }: Problem, rules: readonly RbacRule[]): string {
  return kind === 'Forbidden' && !isForeign ? `${message}; ${describeGrant(rules)}` : message;
}

/** Every single permission that a rule grants. */
export function permissionsOf(
  { apiGroups, resources, verbs, resourceNames }: RbacRule,
  namespace: string | undefined,
): readonly Permission[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource] = path.split('/');
      return verbs.flatMap((verb) =>
        (resourceNames ?? [undefined]).map((name) => ({
          verb,
          group,
          resource,
          ...(subresource !== undefined && { subresource }),
          ...(namespace !== undefined && { namespace }),
          ...(name !== undefined && { name }),
        })),
      );
    }),
  );
}

export const execRule: RbacRule = { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] };

interface Need {
  readonly for: string;
  readonly rules: readonly RbacRule[];
  /** What only spares requests. */
  readonly spares?: Pick<Need, 'for' | 'rules'>;
}

/** What a sweep asks of the API beside its methods, and the rules for it; only `look` and `namespaces` are indispensable. */
export const needs = {
  look: {
    for: 'list, judge and prove',
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
  },
  jobs: {
    for: 'tell what Jobs did',
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] }],
    spares: {
      for: 'read many Jobs at once',
      rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['list'] }],
    },
  },
  'raise-backoff-limit': {
    for: 'make room for image swaps in Jobs',
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['patch'] }],
  },
  namespaces: {
    for: 'leave namespaces alone that opted out',
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
    spares: {
      for: 'read many namespaces at once',
      rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }],
    },
  },
  identity: {
    for: 'tell which cluster it is',
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'], resourceNames: ['kube-system'] }],
  },
  nodes: {
    for: 'leave pods of dead nodes alone',
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    spares: {
      for: 'read many nodes at once',
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }],
    },
  },
  logs: {
    for: 'keep the logs that a swap takes',
    rules: [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }],
  },
  events: {
    for: 'write events on pods',
    rules: [{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] }],
  },
  lease: {
    for: 'keep two sweeps apart',
    rules: [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
    ],
  },
} as const satisfies Record<string, Need>;
