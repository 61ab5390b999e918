import { imageBeforeSwap } from '../../pod/before-swap.ts';
import { findProfile } from '../../policy/match.ts';
import { noopImages } from '../../policy/noop-images.ts';
import type { Source } from './source.ts';

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
