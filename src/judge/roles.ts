import type { ContainerView, JudgedContainer, PodView, Statement } from '../vocabulary.ts';
import { argoContainer } from './roles/argo.ts';
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
import { fitsPolicyRule } from './roles/rules.ts';
import type { Known, Source } from './roles/source.ts';

/** From the strongest evidence to the weakest; the first one that makes a statement decides. */
const sources: readonly Source[] = [
  namedAsMain,
  namedAsSidecar,
  notNamedAsMain,
  listedAsMain,
  listedAsSidecar,
  notListedAsMain,
  kruiseSidecar,
  kubexitDependencies,
  injectedByIstio,
  injectedByLinkerd,
  argoContainer,
  hasKillCommand,
  notInJobTemplate,
  isDefaultContainer,
  fitsPolicyRule,
  isInCatalogue,
];

const unknownMeansMain: Statement = { role: 'Main', because: { kind: 'NoEvidence' } };

/** The role of every regular container of a pod, with the evidence that decided. */
export function assignRoles(pod: PodView, known: Known): readonly JudgedContainer[] {
  return pod.containers.map((container) => ({ ...roleOf(container, pod, known), container }));
}

function roleOf(container: ContainerView, pod: PodView, known: Known): Statement {
  for (const source of sources) {
    const statement = source(container, pod, known);
    if (statement) return statement;
  }
  return unknownMeansMain;
}

/** Every statement about a container; the first one decides. */
export function evidenceFor(
  container: ContainerView,
  pod: PodView,
  known: Known,
): readonly [Statement, ...Statement[]] {
  const [first, ...others] = sources.flatMap((source) => source(container, pod, known) ?? []);
  return first ? [first, ...others] : [unknownMeansMain];
}
