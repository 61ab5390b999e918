import {
  defaultContainerKey,
  istioStatusKey,
  killCommandKeys,
  listedUnder,
  mainListKey,
  ownKeys,
  ownValue,
  sidecarListKeys,
  stepsKey,
} from '../model/annotations.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { Facts } from '../model/reading.ts';
import { cannotStart, imageBeforeSwap, isSwapped } from '../model/swap.ts';
import type { Role, Statement } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { findProfile } from '../policy/profile.ts';
import { fitsRule, isNarrow, type Rule } from '../policy/rules.ts';

export interface Known {
  readonly policy: Pick<Policy, 'rules' | 'catalogue' | 'noopImages'>;
  readonly facts: Pick<Facts, 'templates'>;
}

/** Reads a pod once, then says of each of its containers what it shows; undefined if it shows nothing. */
export type Source = (pod: PodView, known: Known) => (container: ContainerView) => Statement | undefined;

function namedUnder(key: string, role: Role): Source {
  return (pod) => {
    const names = new Set(listedUnder(pod.annotations, key));
    return ({ name }) => (names.has(name) ? { role, because: { kind: 'Annotation', key } } : undefined);
  };
}

/** `sidecar-sweeper.dev/main` takes precedence, because main is the safer of two roles. */
export const namedAsMain = namedUnder(ownKeys.main, 'Main');

export const namedAsSidecar = namedUnder(ownKeys.sidecars, 'Sidecar');

/** If only mains are named, all others are sidecars: owners may not know the names of injected containers. */
export const notNamedAsMain: Source = (pod) =>
  ownValue(pod.annotations, ownKeys.sidecars) === undefined
    ? missingFromMains(pod, ownKeys.main)
    : () => undefined;

/** None if the list names a container that the pod does not have, because that may be a misspelling of this one. */
function missingFromMains(pod: PodView, key: string): ReturnType<Source> {
  const mains = new Set(listedUnder(pod.annotations, key));
  const containers = new Set(pod.containers.map(({ name }) => name));
  if (mains.size === 0 || ![...mains].every((main) => containers.has(main))) return () => undefined;
  const because = { kind: 'NotListedAsMain', key } as const;
  return ({ name }) => (mains.has(name) ? undefined : { role: 'Sidecar', because });
}

/** Riskified's fork of k8s-controller-sidecars: a list of mains; all others are sidecars. */
export const listedAsMain = namedUnder(mainListKey, 'Main');
export const notListedAsMain: Source = (pod) => missingFromMains(pod, mainListKey);

const sidecarLists = sidecarListKeys.map((key) => namedUnder(key, 'Sidecar'));

/** k8s-controller-sidecars and its forks: lists of sidecars, of which the first counts. */
export const listedAsSidecar: Source = (pod, known) => {
  const lists = sidecarLists.map((list) => list(pod, known));
  return (container) => lists.flatMap((list) => list(container) ?? [])[0];
};

/** A container that ends by itself needs no kill command. */
export const hasKillCommand: Source =
  ({ annotations }) =>
  ({ name }) => {
    const keys = [...killCommandKeys(name), stepsKey(name)];
    const key = keys.find((each) => Object.hasOwn(annotations, each));
    return key === undefined ? undefined : { role: 'Sidecar', because: { kind: 'KillCommand', key } };
  };

/** `byIstio`: whether the annotation may be from Istio's injector. */
function defaultContainer(byIstio: boolean): Source {
  return ({ annotations }) => {
    const hasIstio = ownValue(annotations, istioStatusKey) !== undefined;
    const named = hasIstio === byIstio ? ownValue(annotations, defaultContainerKey)?.trim() : undefined;
    return ({ name }) =>
      name === named ? { role: 'Main', because: { kind: 'DefaultContainer' } } : undefined;
  };
}

/** The container that kubectl uses by default is the one that does the work. */
export const isDefaultContainer = defaultContainer(false);

/**
 * Istio's injector names the first container of the pod, which may be another sidecar.
 * https://github.com/istio/istio/blob/1.27.0/manifests/charts/istio-control/istio-discovery/files/injection-template.yaml
 */
export const isDefaultOfIstio = defaultContainer(true);

/** The policy's rules, of which the first that matches decides, if it is one of these. */
function ruledBy(isOne: (rule: Rule) => boolean): Source {
  return ({ ref, labels, owner }, { policy }) => {
    const ofPod = { namespace: ref.namespace, labels, ownerKind: owner?.kind };
    return (container) => {
      const image = imageBeforeSwap(container, policy.noopImages);
      const subject = { ...ofPod, container: container.name, image };
      const rule = policy.rules.find((each) => fitsRule(each, subject));
      if (!rule || !isOne(rule)) return undefined;
      return { role: rule.role, because: { kind: 'Rule', rule: rule.name } };
    };
  };
}

const namesMain = ({ role, containers, images }: Rule) =>
  role === 'Main' && (isNarrow(containers) || isNarrow(images));

/** The operator keeps a container that only seems to be a sidecar, such as an injected one that uploads results. */
export const isMainByName = ruledBy(namesMain);
export const fitsPolicyRule = ruledBy((rule) => !namesMain(rule));

export const isInCatalogue: Source =
  (pod, { policy }) =>
  (container) => {
    const image = imageBeforeSwap(container, policy.noopImages);
    const profile = findProfile(policy.catalogue, pod, { ...container, image });
    // A profile that matches every container says how to end one, but not which are sidecars.
    if (!profile || !(isNarrow(profile.containers) || isNarrow(profile.images))) return undefined;
    return { role: 'Sidecar', because: { kind: 'Catalogue', profile: profile.name } };
  };

/** A container that cannot start with the policy's own no-op image, and ran another: a sweep swapped it. */
export const swappedImage: Source =
  (_pod, { policy }) =>
  (container) =>
    cannotStart(container) && isSwapped(container, policy.noopImages)
      ? { role: 'Sidecar', because: { kind: 'SwappedImage' } }
      : undefined;
