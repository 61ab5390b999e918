import { stringify } from 'yaml';
import type { Access, Allowed } from '../ports.ts';
import { printable } from '../printable.ts';
import { columns, paintIf } from './columns.ts';

/** What `check-access` says. */
export interface AccessReport {
  readonly apiVersion: 'sidecar-sweeper.dev/v1';
  readonly kind: 'AccessReport';
  readonly access: readonly CheckedAccess[];
  /** By namespace; without one, they belong into a ClusterRole. */
  readonly rulesToAdd: readonly { readonly namespace?: string; readonly rules: readonly object[] }[];
}

/** One verb on one resource in one namespace, and whether it is allowed. */
export interface CheckedAccess extends Access {
  /** What needs it. */
  readonly for: string;
  readonly allowed: Allowed;
}

/** For people: a row a verb, then the rules that are missing. */
export function renderAccess(
  { access, rulesToAdd }: AccessReport,
  { colour }: { readonly colour: boolean },
): string {
  const paint = paintIf(colour);
  const rows = access.map(({ namespace, verb, group, resource, subresource, allowed, for: needed }) => [
    namespace === undefined ? '(all)' : printable(namespace),
    verb,
    [group, resource, subresource].filter(Boolean).join('/'),
    paint(allowed === 'Yes' ? 'green' : allowed === 'No' ? 'red' : 'yellow', allowed.toLowerCase()),
    needed,
  ]);
  const table = columns(['NAMESPACE', 'VERB', 'RESOURCE', 'ALLOWED', 'NEEDED FOR'], rows, paint);
  const missing = rulesToAdd.map(({ namespace, rules }) => {
    const where =
      namespace === undefined
        ? 'a ClusterRole of this account'
        : `a Role of this account in namespace ${printable(namespace)}`;
    return `\nAdd to ${where}:\n\n${stringify({ rules })}`;
  });
  return `${table}\n${missing.join('')}`;
}
