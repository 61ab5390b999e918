import type { ContainerView, PodView } from '../vocabulary.ts';
import { matchesGlob, matchesRepository } from './pattern.ts';
import { shows } from './signs.ts';
import type { Profile } from './steps.ts';

/** The first profile that a container fits by name, image and, if the profile asks for one, a sign of the pod. */
export function findProfile(
  catalogue: readonly Profile[],
  pod: PodView,
  container: ContainerView,
): Profile | undefined {
  return catalogue.find(
    (profile) =>
      profile.containers.some((pattern) => matchesGlob(pattern, container.name)) &&
      profile.images.some((pattern) => matchesRepository(pattern, container.image)) &&
      (profile.shows === undefined || profile.shows.some((sign) => shows(sign, pod, container))),
  );
}
