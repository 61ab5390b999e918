import { matchesGlob, matchesRepository } from '../policy/pattern.ts';
import type { ContainerView, JudgedContainer, PodView, Profile } from '../types.ts';
import { annotation, killCommandKey, mainListKeys, names, sidecarListKeys } from './annotations.ts';

/** What a source of knowledge says of a container; undefined when it says nothing. */
type Source = (
  container: ContainerView,
  pod: PodView,
  catalogue: readonly Profile[],
) => Omit<JudgedContainer, 'container'> | undefined;

const namedAsSidecar: Source = (container, pod) => {
  for (const key of sidecarListKeys) {
    const list = annotation(pod.annotations, key);
    if (list !== undefined && names(list, container.name)) {
      return { role: 'Sidecar', because: { kind: 'Annotation', key } };
    }
  }
  return undefined;
};

const leftWhenMainsAreNamed: Source = (container, pod) => {
  for (const key of mainListKeys) {
    const mains = annotation(pod.annotations, key);
    // A list that names none of the pod's containers is a mistake, not a wish to end them all.
    if (mains === undefined || !pod.containers.some((other) => names(mains, other.name))) continue;
    return { role: names(mains, container.name) ? 'Main' : 'Sidecar', because: { kind: 'Annotation', key } };
  }
  return undefined;
};

const hasKillCommand: Source = (container, pod) => {
  const key = killCommandKey(container.name);
  if (annotation(pod.annotations, key) === undefined) return undefined;
  return { role: 'Sidecar', because: { kind: 'KillCommand', key } };
};

const isInCatalogue: Source = (container, _pod, catalogue) => {
  const profile = catalogue.find(
    ({ containers, images }) =>
      containers.some((pattern) => matchesGlob(pattern, container.name)) &&
      images.some((pattern) => matchesRepository(pattern, container.image)),
  );
  return profile && { role: 'Sidecar', because: { kind: 'Catalogue', profile: profile.name } };
};

/** From the strongest evidence to the weakest; the first that speaks decides. */
const sources: readonly Source[] = [namedAsSidecar, leftWhenMainsAreNamed, hasKillCommand, isInCatalogue];

/** The role of every regular container of a pod, with the evidence for it. Unknown means main. */
export function assignRoles(pod: PodView, catalogue: readonly Profile[]): readonly JudgedContainer[] {
  return pod.containers.map((container) => {
    for (const source of sources) {
      const said = source(container, pod, catalogue);
      if (said) return { ...said, container };
    }
    return { role: 'Main', because: { kind: 'NoEvidence' }, container };
  });
}
