import { matchesGlob, matchesRepository } from '../../policy/pattern.ts';
import type { Source } from './source.ts';

/** The catalogue of known sidecars, by name and image. */
export const isInCatalogue: Source = ({ name, image }, _pod, { policy }) => {
  const profile = policy.catalogue.find(
    ({ containers, images }) =>
      containers.some((pattern) => matchesGlob(pattern, name)) &&
      images.some((pattern) => matchesRepository(pattern, image)),
  );
  return profile && { role: 'Sidecar', because: { kind: 'Catalogue', profile: profile.name } };
};
