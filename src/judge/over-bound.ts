import { annotation, deathDependencies, listKeys, own } from '../model/annotations.ts';
import { bounds } from '../model/bounds.ts';
import type { PodView } from '../model/pod.ts';
import type { Exclusion } from '../model/verdict.ts';

type OverBound = Extract<Exclusion, { readonly kind: 'OverBound' }>;

/** What a pod has more of than the sweeper reads. It is counted only as far as needed. */
export function overBounds(pod: PodView): readonly OverBound[] {
  const { containers, nativeSidecars, initContainers, annotations } = pod;
  const tooMany = (what: string, most: number): OverBound => ({ kind: 'OverBound', what, most });
  const lists = listKeys.filter((key) => hasManyNames(annotation(annotations, key)));
  const waitsForMany = containers.some(({ env }) => hasManyNames(own(env, deathDependencies)));
  const images = [...containers, ...nativeSidecars, ...initContainers].map(({ image }) => image);
  const isNamedAtLength = images.some((image) => image.length > bounds.image);
  return [
    ...(containers.length > bounds.containers ? [tooMany('containers', bounds.containers)] : []),
    ...(isNamedAtLength ? [tooMany('characters in the image of a container', bounds.image)] : []),
    ...[...lists, ...(waitsForMany ? [deathDependencies] : [])].map((list) =>
      tooMany(`names in ${list}`, bounds.names),
    ),
  ];
}

function hasManyNames(list: string | undefined): boolean {
  return list !== undefined && list.split(',', bounds.names + 1).length > bounds.names;
}
