import type { Access } from '../ports.ts';
import type { Rule } from './method.ts';

/** Rules as one reads them: `get, create on pods/exec`. */
export function describeRules(rules: readonly Rule[]): string {
  return rules.map(({ verbs, resources }) => `${verbs.join(', ')} on ${resources.join(', ')}`).join('; ');
}

/** Every single thing that a rule allows. */
export function accessesOf(
  { apiGroups, resources, verbs }: Rule,
  namespace: string | undefined,
): readonly Access[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((path) => {
      const [resource = '', subresource] = path.split('/');
      return verbs.map((verb) => ({
        verb,
        group,
        resource,
        ...(subresource !== undefined && { subresource }),
        ...(namespace !== undefined && { namespace }),
      }));
    }),
  );
}
