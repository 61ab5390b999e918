import { matchesGlob, matchesMirrored, matchesRepository } from '../model/image.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import { shows } from '../model/signs.ts';
import type { Profile } from './profile.ts';

/** The first profile that matches a container by name, image and, if the profile requires one, a sign. */
export function findProfile(
  catalogue: readonly Profile[],
  pod: Pick<PodView, 'annotations'>,
  container: Pick<ContainerView, 'name' | 'image' | 'command' | 'args' | 'env'>,
): Profile | undefined {
  return catalogue.find(
    (profile) =>
      isNamedLike(profile, container) &&
      (profile.shows === undefined || profile.shows.some((sign) => shows(sign, pod, container))),
  );
}

/** Whether a container has the name and the image of a profile. */
export function isNamedLike(
  { containers, images }: Profile,
  { name, image }: Pick<ContainerView, 'name' | 'image'>,
): boolean {
  return (
    containers.some((pattern) => matchesGlob(pattern, name)) &&
    images.some((pattern) => matchesRepository(pattern, image) || matchesMirrored(pattern, image))
  );
}
