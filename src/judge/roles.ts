import { overBounds } from '../pod/over-bound.ts';
import type { ContainerView } from '../vocabulary/container.ts';
import type { Statement } from '../vocabulary/evidence.ts';
import type { ExplainedContainer } from '../vocabulary/explanation.ts';
import type { PodView } from '../vocabulary/pod.ts';
import type { JudgedContainer } from '../vocabulary/verdict.ts';
import { argoContainer, awaitedByArgo } from './roles/argo.ts';
import { isInCatalogue } from './roles/catalogue.ts';
import { isDefaultContainer } from './roles/default-container.ts';
import { injectedByIstio } from './roles/istio.ts';
import { notInJobTemplate } from './roles/job-template.ts';
import { hasKillCommand } from './roles/kill-command.ts';
import { kruiseSidecar } from './roles/kruise.ts';
import { kubexitDependencies } from './roles/kubexit.ts';
import { injectedByLinkerd } from './roles/linkerd.ts';
import { namedAsMain, namedAsSidecar, notNamedAsMain } from './roles/own-lists.ts';
import { listedAsMain, listedAsSidecar, notListedAsMain } from './roles/peer-lists.ts';
import { awaitedByAirflow, mainOfPlatform } from './roles/platforms.ts';
import { fitsPolicyRule } from './roles/rules.ts';
import type { Known, Source } from './roles/source.ts';
import { swappedImage } from './roles/swapped-image.ts';

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
