import { listedUnder, mainListKey, sidecarListKeys } from '../../pod/annotations.ts';
import { leftByMainList } from './own-lists.ts';
import type { Source } from './source.ts';

/** Riskified's fork of k8s-controller-sidecars: a list of mains. */
export const listedAsMain: Source = ({ name }, pod) =>
  listedUnder(pod.annotations, mainListKey).includes(name)
    ? { role: 'Main', because: { kind: 'Annotation', key: mainListKey } }
    : undefined;

/** k8s-controller-sidecars and its forks: a list of sidecars. */
export const listedAsSidecar: Source = ({ name }, pod) => {
  const key = sidecarListKeys.find((each) => listedUnder(pod.annotations, each).includes(name));
  return key === undefined ? undefined : { role: 'Sidecar', because: { kind: 'Annotation', key } };
};

/** Riskified's fork: containers that are not on its list of mains are sidecars. */
export const notListedAsMain: Source = ({ name }, pod) => leftByMainList(name, pod, mainListKey);
