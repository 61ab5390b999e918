import { cannotStart, imageBeforeSwap } from '../../model/image.ts';
import { findProfile } from '../../policy/match.ts';
import { noopImages } from '../../policy/noop-images.ts';
import { fitsRule } from '../../policy/rules.ts';
import type { Source } from './source.ts';

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
