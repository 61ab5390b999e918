import type { PodName } from '../model/pod.ts';
import type { Scope } from '../model/scope.ts';

/**
 * A pod as a line of -o name: as kubectl prints and takes it if the namespace is given by -n, or else with its
 * namespace, which `explain` takes. kubectl leaves namespaces out, so that its own -A -o name leads nowhere.
 */
export function podArgument({ namespace, name }: PodName, { namespaces }: Pick<Scope, 'namespaces'>): string {
  return namespaces.length === 1 ? `pod/${name}` : `${namespace}/${name}`;
}
