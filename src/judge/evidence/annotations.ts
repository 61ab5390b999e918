import {
  annotation,
  defaultContainerKey,
  killCommandKeys,
  listedUnder,
  mainListKey,
  ownKeys,
  sidecarListKeys,
  stepsKey,
} from '../../model/annotations.ts';
import type { PodView } from '../../model/pod.ts';
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
function leftByMainList(pod: PodView, key: string): ReturnType<Source> {
  const mains = new Set(listedUnder(pod.annotations, key));
  const containers = new Set(pod.containers.map(({ name }) => name));
  if (mains.size === 0 || ![...mains].every((main) => containers.has(main))) return () => undefined;
  const because = { kind: 'NotListedAsMain', key } as const;
  return ({ name }) => (mains.has(name) ? undefined : { role: 'Sidecar', because });
}

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

/** A container that ends by itself needs no kill command. */
export const hasKillCommand: Source =
  (pod) =>
  ({ name }) => {
    const key = [...killCommandKeys(name), stepsKey(name)].find(
      (each) => annotation(pod.annotations, each) !== undefined,
    );
    return key === undefined ? undefined : { role: 'Sidecar', because: { kind: 'KillCommand', key } };
  };

/** The container that kubectl uses by default is the one that does the work. */
export const isDefaultContainer: Source = (pod) => {
  const byDefault = annotation(pod.annotations, defaultContainerKey)?.trim();
  return ({ name }) =>
    name === byDefault ? { role: 'Main', because: { kind: 'DefaultContainer' } } : undefined;
};
