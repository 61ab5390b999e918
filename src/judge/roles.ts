import {
  istioStatusKey,
  listedUnder,
  listKeys,
  mainListKey,
  ownKeys,
  sidecarListKeys,
} from '../model/annotations.ts';
import { bounds, shortened } from '../model/bounds.ts';
import type { Remark, Statement } from '../model/evidence.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { ExplainedContainer, JudgedContainer } from '../model/verdict.ts';
import { overBounds } from './checks.ts';
import type { Known, Source } from './evidence.ts';
import {
  fitsPolicyRule,
  hasKillCommand,
  isDefaultContainer,
  isInCatalogue,
  listedAsMain,
  listedAsSidecar,
  namedAsMain,
  namedAsSidecar,
  notListedAsMain,
  notNamedAsMain,
  swappedImage,
} from './evidence.ts';
import {
  injectedByIstio,
  injectedByLinkerd,
  kruiseSidecar,
  notInJobTemplate,
  problemOfIstioStatus,
} from './injectors.ts';
import {
  argoContainer,
  awaitedByAirflow,
  awaitedByArgo,
  kubexitDependencies,
  mainOfPlatform,
} from './platforms.ts';

/** From the strongest evidence to the weakest; the first one that makes a statement decides. */
const sources: readonly Source[] = [
  namedAsMain,
  namedAsSidecar,
  awaitedByAirflow,
  awaitedByArgo,
  notNamedAsMain,
  listedAsMain,
  listedAsSidecar,
  notListedAsMain,
  kruiseSidecar,
  kubexitDependencies,
  injectedByIstio,
  injectedByLinkerd,
  argoContainer,
  mainOfPlatform,
  hasKillCommand,
  notInJobTemplate,
  isDefaultContainer,
  fitsPolicyRule,
  isInCatalogue,
  swappedImage,
];

const unknownMeansMain: Statement = { role: 'Main', because: { kind: 'NoEvidence' } };

/** The role of every regular container of a pod, with the evidence that decided. */
export function assignRoles(pod: PodView, known: Known): readonly JudgedContainer[] {
  const ofPod = read(pod, known);
  return pod.containers.map((container) => ({ ...roleOf(container, ofPod), container }));
}

/** Every statement about each container; the first one decides. */
export function evidenceIn(pod: PodView, known: Known): readonly ExplainedContainer[] {
  const ofPod = read(pod, known);
  return pod.containers.map((container) => {
    const [first, ...others] = ofPod.flatMap((source) => source(container) ?? []);
    return { container, evidence: first ? [first, ...others] : [unknownMeansMain] };
  });
}

type SourceOfPod = ReturnType<Source>;

/** Of a pod that has too much of something, nothing is read: it is left alone. */
function read(pod: PodView, known: Known): readonly SourceOfPod[] {
  return overBounds(pod).length > 0 ? [] : sources.map((source) => source(pod, known));
}

function roleOf(container: ContainerView, ofPod: readonly SourceOfPod[]): Statement {
  for (const source of ofPod) {
    const statement = source(container);
    if (statement) return statement;
  }
  return unknownMeansMain;
}

/** What is odd about a pod's own annotations; reported, never acted on. */
export function remarksOn(pod: PodView): readonly Remark[] {
  const remarks = [...unknownContainers(pod), ...namedAsBoth(pod), ...unreadable(pod)];
  const told = remarks.slice(0, bounds.remarks);
  return remarks.length === told.length
    ? told
    : [...told, { kind: 'LeftOut', remarks: remarks.length - told.length }];
}

function unknownContainers(pod: PodView): readonly Remark[] {
  const lists = listKeys.map((key) => ({ key, names: listedUnder(pod.annotations, key) }));
  if (lists.every(({ names }) => names.length === 0)) return [];
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
  if (mains.length === 0) return [];
  const sidecars = new Set(
    [ownKeys.sidecars, ...sidecarListKeys].flatMap((key) => listedUnder(annotations, key)),
  );
  return [...new Set(mains)]
    .filter((name) => sidecars.has(name))
    .map((name) => ({ kind: 'NamedAsBoth', container: shortened(name) }));
}

function unreadable(pod: PodView): readonly Remark[] {
  const problem = problemOfIstioStatus(pod);
  return problem === undefined ? [] : [{ kind: 'Unreadable', key: istioStatusKey, problem }];
}
