import {
  istioStatusKey,
  listedUnder,
  listKeys,
  mainListKey,
  ownKeys,
  sidecarListKeys,
} from '../model/annotations.ts';
import { shortened } from '../model/bounds.ts';
import type { PodView } from '../model/pod.ts';
import type { ExplainedContainer, JudgedContainer, Remark, Statement } from '../model/verdict.ts';
import { overBounds } from './checks.ts';
import * as evidence from './evidence.ts';
import * as injectors from './injectors.ts';
import { kubexitDependencies } from './kubexit.ts';
import * as platforms from './platforms.ts';

/** From the strongest evidence to the weakest; the first one that makes a statement decides. */
const sources: readonly evidence.Source[] = [
  evidence.namedAsMain,
  evidence.namedAsSidecar,
  platforms.awaitedByPlatform,
  platforms.awaitedByArgo,
  evidence.notNamedAsMain,
  evidence.listedAsMain,
  evidence.listedAsSidecar,
  evidence.notListedAsMain,
  injectors.kruiseSidecar,
  kubexitDependencies,
  injectors.injectedByIstio,
  injectors.injectedByLinkerd,
  evidence.isMainByName,
  platforms.argoContainer,
  platforms.mainOfPlatform,
  evidence.hasKillCommand,
  injectors.notInJobTemplate,
  evidence.isDefaultContainer,
  evidence.fitsPolicyRule,
  evidence.isInCatalogue,
  evidence.isDefaultOfIstio,
  evidence.swappedImage,
];

const unknownMeansMain: Statement = { role: 'Main', because: { kind: 'NoEvidence' } };

export function assignRoles(pod: PodView, known: evidence.Known): readonly JudgedContainer[] {
  return evidenceIn(pod, known).map(({ container, evidence: [first] }) => ({ ...first, container }));
}

/** Every statement about each container; the first one decides. */
export function evidenceIn(pod: PodView, known: evidence.Known): readonly ExplainedContainer[] {
  // A pod that has too much of something is left alone, so nothing of it is read.
  const read = overBounds(pod).length > 0 ? [] : sources.map((source) => source(pod, known));
  return pod.containers.map((container) => {
    const [first = unknownMeansMain, ...others] = read.flatMap((source) => source(container) ?? []);
    return { container, evidence: [first, ...others] };
  });
}

/** Problems of a pod's own annotations; never acted on. */
export function remarksOn(pod: PodView): readonly Remark[] {
  if (overBounds(pod).length > 0) return [];
  return [...unknownContainers(pod), ...namedAsBoth(pod), ...unreadable(pod)];
}

function unknownContainers(pod: PodView): readonly Remark[] {
  const lists = listKeys.map((key) => ({ key, names: listedUnder(pod.annotations, key) }));
  // Containers of any kind count: a list may name a sidecar that has since become a native one.
  const known = new Set([
    ...[...pod.containers, ...pod.nativeSidecars, ...pod.initContainers].map(({ name }) => name),
    ...pod.ephemeralContainers,
  ]);
  return lists.flatMap(({ key, names }) =>
    names
      .filter((name) => !known.has(name))
      .map((name): Remark => ({ kind: 'UnknownContainer', key, container: shortened(name) })),
  );
}

function namedAsBoth({ annotations }: PodView): readonly Remark[] {
  const mains = [ownKeys.main, mainListKey].flatMap((key) => listedUnder(annotations, key));
  const sidecars = new Set(
    [ownKeys.sidecars, ...sidecarListKeys].flatMap((key) => listedUnder(annotations, key)),
  );
  return [...new Set(mains)]
    .filter((name) => sidecars.has(name))
    .map((name) => ({ kind: 'NamedAsBoth', container: shortened(name) }));
}

function unreadable(pod: PodView): readonly Remark[] {
  const problem = injectors.problemOfIstioStatus(pod);
  return problem === undefined ? [] : [{ kind: 'Unreadable', key: istioStatusKey, problem }];
}
