import { annotation, listedUnder, ownKeys } from '../../pod/annotations.ts';
import type { PodView } from '../../vocabulary.ts';
import type { Source } from './source.ts';

/** `sidecar-sweeper.dev/main` names mains. It takes precedence, because main is the safer of two roles. */
export const namedAsMain: Source = ({ name }, pod) => {
  if (!listedUnder(pod.annotations, ownKeys.main).includes(name)) return undefined;
  return { role: 'Main', because: { kind: 'Annotation', key: ownKeys.main } };
};

/** `sidecar-sweeper.dev/sidecars` names sidecars. */
export const namedAsSidecar: Source = ({ name }, pod) => {
  if (!listedUnder(pod.annotations, ownKeys.sidecars).includes(name)) return undefined;
  return { role: 'Sidecar', because: { kind: 'Annotation', key: ownKeys.sidecars } };
};

/** If only mains are named, all others are sidecars: owners may not know the names of injected containers. */
export const notNamedAsMain: Source = ({ name }, pod) => {
  if (annotation(pod.annotations, ownKeys.sidecars) !== undefined) return undefined;
  return leftByMainList(name, pod, ownKeys.main);
};

/**
 * What a list of mains says about a container that is not on it: nothing if the list names a container that
 * the pod does not have, because that may be a misspelling of this one.
 */
export function leftByMainList(container: string, pod: PodView, key: string): ReturnType<Source> {
  const mains = listedUnder(pod.annotations, key);
  if (mains.length === 0 || mains.includes(container)) return undefined;
  if (!mains.every((main) => pod.containers.some(({ name }) => name === main))) return undefined;
  return { role: 'Sidecar', because: { kind: 'NotListedAsMain', key } };
}
