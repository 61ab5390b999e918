import type { PodView } from '../../vocabulary.ts';
import { annotation, listedUnder, ownKeys } from '../annotations.ts';
import type { Source } from './source.ts';

/** `sidecar-sweeper.dev/main` names mains. It comes first: of two things that an owner says, the safe one counts. */
export const namedAsMain: Source = ({ name }, pod) => {
  if (!listedUnder(pod.annotations, ownKeys.main).includes(name)) return undefined;
  return { role: 'Main', because: { kind: 'Annotation', key: ownKeys.main } };
};

/** `sidecar-sweeper.dev/sidecars` names sidecars. */
export const namedAsSidecar: Source = ({ name }, pod) => {
  if (!listedUnder(pod.annotations, ownKeys.sidecars).includes(name)) return undefined;
  return { role: 'Sidecar', because: { kind: 'Annotation', key: ownKeys.sidecars } };
};

/** Where only mains are named, all others are sidecars: nobody knows the names of what gets injected. */
export const notNamedAsMain: Source = ({ name }, pod) => {
  if (annotation(pod.annotations, ownKeys.sidecars) !== undefined) return undefined;
  return leftByMainList(name, pod, ownKeys.main);
};

/**
 * What a list of mains says of a container that is not on it. A list that names a container the pod does not have
 * may have meant this one, and says nothing of the others.
 */
export function leftByMainList(container: string, pod: PodView, key: string): ReturnType<Source> {
  const mains = listedUnder(pod.annotations, key);
  if (mains.length === 0 || mains.includes(container)) return undefined;
  if (!mains.every((main) => pod.containers.some(({ name }) => name === main))) return undefined;
  return { role: 'Sidecar', because: { kind: 'NotListedAsMain', key } };
}
