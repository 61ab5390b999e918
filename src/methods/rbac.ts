import type { Permission } from '../ports.ts';
import type { Problem } from '../vocabulary/problem.ts';

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
