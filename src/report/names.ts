import type { PodName } from '../model/pod.ts';
import type { Scope } from '../model/scope.ts';

/** The version of every document that is read or written. Those who only write one need no schema, which takes long to load. */
export const apiVersion = 'sidecar-sweeper.dev/v1';

export const schemaNames = [
  'sweep-report',
  'sweep-policy',
  'history',
  'scan',
  'advice',
  'pod-explanation',
  'access-report',
  'profile-list',
] as const;

export type SchemaName = (typeof schemaNames)[number];

export function byName(a: PodName, b: PodName): number {
  const left = `${a.namespace}/${a.name}`;
  const right = `${b.namespace}/${b.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A pod as a line of -o name: as kubectl takes it if -n gives the namespace, or else as `explain` does. */
export function podArgument({ namespace, name }: PodName, { namespaces }: Pick<Scope, 'namespaces'>): string {
  return namespaces.length === 1 ? `pod/${name}` : `${namespace}/${name}`;
}
