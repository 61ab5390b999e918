import { listedUnder, mainListKey, sidecarListKeys } from '../../pod/annotations.ts';
import { leftByMainList } from './own-lists.ts';
import type { Source } from './source.ts';

/** Riskified's fork of k8s-controller-sidecars: a list of mains. */
export const listedAsMain: Source = (pod) => {
  const mains = new Set(listedUnder(pod.annotations, mainListKey));
  const because = { kind: 'Annotation', key: mainListKey } as const;
  return ({ name }) => (mains.has(name) ? { role: 'Main', because } : undefined);
};

/** k8s-controller-sidecars and its forks: a list of sidecars. */
export const listedAsSidecar: Source = (pod) => {
  const lists = sidecarListKeys.map((key) => ({ key, names: new Set(listedUnder(pod.annotations, key)) }));
  return ({ name }) => {
    const list = lists.find(({ names }) => names.has(name));
    return list && { role: 'Sidecar', because: { kind: 'Annotation', key: list.key } };
  };
};

/** Riskified's fork: containers that are not on its list of mains are sidecars. */
export const notListedAsMain: Source = (pod) => leftByMainList(pod, mainListKey);
