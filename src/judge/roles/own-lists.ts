import { annotation, listedUnder, ownKeys } from '../../pod/annotations.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import type { Source } from './source.ts';

/** `sidecar-sweeper.dev/main` names mains. It takes precedence, because main is the safer of two roles. */
export const namedAsMain: Source = (pod) => {
  const mains = new Set(listedUnder(pod.annotations, ownKeys.main));
  const because = { kind: 'Annotation', key: ownKeys.main } as const;
  return ({ name }) => (mains.has(name) ? { role: 'Main', because } : undefined);
};

/** `sidecar-sweeper.dev/sidecars` names sidecars. */
export const namedAsSidecar: Source = (pod) => {
  const sidecars = new Set(listedUnder(pod.annotations, ownKeys.sidecars));
  const because = { kind: 'Annotation', key: ownKeys.sidecars } as const;
  return ({ name }) => (sidecars.has(name) ? { role: 'Sidecar', because } : undefined);
};

/** If only mains are named, all others are sidecars: owners may not know the names of injected containers. */
export const notNamedAsMain: Source = (pod) =>
  annotation(pod.annotations, ownKeys.sidecars) === undefined
    ? leftByMainList(pod, ownKeys.main)
    : () => undefined;

/**
 * What a list of mains says about a container that is not on it: nothing if the list names a container that
 * the pod does not have, because that may be a misspelling of this one.
 */
export function leftByMainList(pod: PodView, key: string): ReturnType<Source> {
  const mains = new Set(listedUnder(pod.annotations, key));
  const containers = new Set(pod.containers.map(({ name }) => name));
  if (mains.size === 0 || ![...mains].every((main) => containers.has(main))) return () => undefined;
  const because = { kind: 'NotListedAsMain', key } as const;
  return ({ name }) => (mains.has(name) ? undefined : { role: 'Sidecar', because });
}
