import {
  annotation,
  defaultContainerKey,
  killCommandKeys,
  listedUnder,
  mainListKey,
  ownKeys,
  sidecarListKeys,
  stepsKey,
} from '../model/annotations.ts';
import type { Statement } from '../model/evidence.ts';
import { cannotStart, imageBeforeSwap } from '../model/image.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { Facts } from '../model/reading.ts';
import { noopImages } from '../policy/noop-images.ts';
import type { Policy } from '../policy/policy.ts';
import { findProfile } from '../policy/profile.ts';
import { fitsRule } from '../policy/rules.ts';

/** What sources of evidence may use besides the pod. */
export interface Known {
  readonly policy: Pick<Policy, 'rules' | 'catalogue' | 'swap' | 'lastResort'>;
  readonly facts: Pick<Facts, 'jobContainers'>;
}

/**
 * Reads a pod once, however many containers it has, and then says of each what it shows; undefined if it shows nothing.
 */
export type Source = (pod: PodView, known: Known) => (container: ContainerView) => Statement | undefined;

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

/** The policy's rules; the first that matches decides. */
export const fitsPolicyRule: Source = ({ ref, labels, owner }, { policy }) => {
  const ofPod = { namespace: ref.namespace, labels, ownerKind: owner?.kind };
  const noops = noopImages(policy);
  return (container) => {
    const subject = { ...ofPod, container: container.name, image: imageBeforeSwap(container, noops) };
    const rule = policy.rules.find((each) => fitsRule(each, subject));
    return rule && { role: rule.role, because: { kind: 'Rule', rule: rule.name } };
  };
};

/** The catalogue of known sidecars, by name and image. */
export const isInCatalogue: Source = (pod, { policy }) => {
  const noops = noopImages(policy);
  return (container) => {
    const image = imageBeforeSwap(container, noops);
    const profile = findProfile(policy.catalogue, pod, { ...container, image });
    // A profile that matches every container says how to end one, but not which are sidecars.
    if (!profile || (profile.containers.includes('*') && profile.images.includes('*'))) return undefined;
    return { role: 'Sidecar', because: { kind: 'Catalogue', profile: profile.name } };
  };
};

/** The exit code that the kubelet gives a container whose program cannot be started. */
const startError = 128;

/**
 * A container that ran, and cannot start with the policy's own no-op image: a sweep swapped it. One that runs or is about to be
 * restarted is no evidence, because a main may have the same image.
 */
export const swappedImage: Source = (_pod, { policy }) => {
  const images = noopImages(policy);
  return (container) => {
    const { image, state, lastExitCode } = container;
    if (!images.includes(image) || state.kind !== 'Waiting' || lastExitCode === undefined) return undefined;
    if (!cannotStart(container) && lastExitCode !== startError) return undefined;
    return { role: 'Sidecar', because: { kind: 'SwappedImage' } };
  };
};
