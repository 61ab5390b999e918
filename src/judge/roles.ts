import type { Statement } from '../model/evidence.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { ExplainedContainer, JudgedContainer } from '../model/verdict.ts';
import {
  hasKillCommand,
  isDefaultContainer,
  listedAsMain,
  listedAsSidecar,
  namedAsMain,
  namedAsSidecar,
  notListedAsMain,
  notNamedAsMain,
} from './evidence/annotations.ts';
import { injectedByIstio, injectedByLinkerd, kruiseSidecar, notInJobTemplate } from './evidence/injectors.ts';
import { kubexitDependencies } from './evidence/kubexit.ts';
import { argoContainer, awaitedByAirflow, awaitedByArgo, mainOfPlatform } from './evidence/platforms.ts';
import { fitsPolicyRule, isInCatalogue, swappedImage } from './evidence/policy.ts';
import type { Known, Source } from './evidence/source.ts';
import { overBounds } from './over-bound.ts';

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
