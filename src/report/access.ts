import { stringify } from 'yaml';
import * as z from 'zod';
import { list, namespace, object, text, texts, type Value } from '../model/schema.ts';
import { warning } from '../model/warning.ts';
import type { Cell } from './columns.ts';
import { ifAny, many } from './format.ts';
import { apiVersion } from './scan-schema.ts';
import { warned } from './texts/warnings.ts';
import { type Block, type Field, notes, sentence, table, type View } from './view.ts';

const checkedPermission = object('one verb on one resource, and whether the account may use it', {
  verb: text('the verb, such as get'),
  group: text('the API group; empty for the core'),
  resource: text('the resource, such as pods'),
  subresource: text('the subresource, such as exec').optional(),
  namespace: text('the namespace; missing if it is all of them').optional(),
  name: text('the name of the object; missing if the permission is for all objects').optional(),
  for: text('what needs it'),
  optional: z
    .literal(true)
    .optional()
    .describe('a sweep works without it, but sends more requests, swaps more images, or reports less'),
  allowed: z.enum(['Yes', 'No', 'Unknown']).describe("the API server's answer"),
});

const rbacRule = z.object({
  apiGroups: texts('the API groups'),
  resources: texts('the resources'),
  verbs: texts('the verbs'),
  resourceNames: texts('the names of the objects; missing if the rule is for all objects').optional(),
});

export const accessReport = object('The permissions that a sweep needs, and which of them the account has', {
  apiVersion,
  kind: z.literal('AccessReport'),
  permissions: z.array(checkedPermission),
  rulesToAdd: list(
    'the missing RBAC rules, by namespace; without a namespace, they belong in a ClusterRole',
    z.object({ namespace: namespace.optional(), rules: list('as in a Role or ClusterRole', rbacRule) }),
  ),
  warnings: z.array(warning),
});

export type AccessReport = Value<typeof accessReport>;
export type CheckedPermission = Value<typeof checkedPermission>;

const fields: readonly Field<CheckedPermission>[] = [
  { title: 'NAMESPACE', of: ({ namespace = '(all)' }) => namespace },
  { title: 'VERB', of: ({ verb }) => verb },
  {
    title: 'RESOURCE',
    of: ({ group, resource, subresource, name }) =>
      [group, resource, subresource, name].filter(Boolean).join('/'),
  },
  { title: 'ALLOWED', of: describeAllowed },
  {
    title: 'NEEDED FOR',
    worth: 1,
    isProse: true,
    of: (permission) => (permission.optional ? `${permission.for} (optional)` : permission.for),
  },
];

function describeAllowed({ allowed, optional }: CheckedPermission): Cell {
  const look = allowed === 'Yes' ? 'green' : allowed === 'No' && !optional ? 'red' : 'yellow';
  return { look, text: allowed.toLowerCase() };
}

function answer(permissions: AccessReport['permissions']): string {
  const needed = permissions.filter(({ optional }) => !optional);
  const denied = needed.filter(({ allowed }) => allowed === 'No').length;
  const unknown = needed.filter(({ allowed }) => allowed === 'Unknown').length;
  if (unknown === needed.length) return 'the permissions of this account are unknown';
  const lacks = [...ifAny(denied, `lacks ${denied}`), ...ifAny(unknown, `may lack ${unknown}`)].join(' and ');
  const what = lacks === '' ? 'has every permission' : `${lacks} of the ${many(needed.length, 'permission')}`;
  return `this account ${what} that such a sweep needs`;
}

export function accessView({ permissions, rulesToAdd, warnings }: AccessReport): View {
  const missing = rulesToAdd.flatMap(({ namespace, rules }): readonly (readonly Block[])[] => {
    const role = namespace === undefined ? 'ClusterRole' : `Role in namespace ${namespace}`;
    return [
      [sentence(`Add to a ${role} that is bound to this account:`)],
      [{ kind: 'Code', language: 'yaml', text: stringify({ rules }).trimEnd() }],
    ];
  });
  return {
    sections: [
      [sentence(answer(permissions), rulesToAdd.length > 0 ? 'red' : 'green')],
      [table(permissions, fields), notes(warnings.map(warned), 'yellow')],
      ...missing,
    ],
  };
}
