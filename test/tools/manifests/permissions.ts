import type { RbacRule } from '../../../src/methods/permissions.ts';
import type { RequestRecord } from '../../kit/emulator/index.ts';
import type { Manifest } from './render.ts';

/** One verb on one resource in one namespace, or in all of them. */
export interface Permission {
  readonly verb: string;
  readonly group: string;
  /** Includes the subresource, as in RBAC. */
  readonly resource: string;
  readonly namespace: string | undefined;
}

export function permissionsIn(objects: readonly Manifest[]): readonly Permission[] {
  return objects
    .filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole')
    .flatMap(({ rules, metadata }) =>
      (rules as readonly RbacRule[]).flatMap((rule) => permissionsOf(rule, metadata.namespace)),
    );
}

export function permissionsOf(
  { apiGroups, resources, verbs }: RbacRule,
  namespace: string | undefined,
): readonly Permission[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => ({ verb, group, resource, namespace }))),
  );
}

/** The distinct permissions that requests needed, without those that every user has. */
export function permissionsAsked(requests: readonly RequestRecord[]): readonly Permission[] {
  const asked = requests
    .filter(({ resource }) => resource !== '' && !resource.startsWith('selfsubject'))
    .flatMap(({ verbs, group, resource, subresource, namespace }) =>
      verbs.map((verb) => ({
        verb,
        group,
        resource: subresource === '' ? resource : `${resource}/${subresource}`,
        namespace,
      })),
    );
  return [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()];
}

export function nameOf({ verb, group, resource }: Permission): string {
  return `${verb} ${[resource, group].filter(Boolean).join('.')}`;
}

export function covers(granted: Permission, asked: Permission): boolean {
  const isSame = nameOf(granted) === nameOf(asked);
  return isSame && (granted.namespace === undefined || granted.namespace === asked.namespace);
}
