import { type Origin, type Placed, placed } from '../../src/advice/cause.ts';
import type { ClusterVersions } from '../../src/advice/versions.ts';
import type { ContainerView, PodView } from '../../src/model/pod.ts';
import type { TemplateView } from '../../src/model/ports.ts';
import type { Candidate } from '../../src/model/verdict.ts';
import { catalogue } from '../../src/policy/catalogue.ts';
import { candidate } from './plan.ts';
import { container, exited, podView, running } from './pod-view.ts';

/** A pod stuck on an istio-proxy of this version, with these annotations besides the injector's. */
export function stuckOnIstio(tag: string, annotations: Readonly<Record<string, string>> = {}): Candidate {
  const status = { 'sidecar.istio.io/status': JSON.stringify({ containers: ['istio-proxy'] }) };
  const image = `docker.io/istio/proxyv2${tag && `:${tag}`}`;
  return stuckOn('istio-proxy', image, { ...status, ...annotations });
}

/** A pod stuck on a sidecar of this name and image, with these annotations. */
export function stuckOn(
  name: string,
  image: string,
  annotations: PodView['annotations'] = {},
  more: Partial<ContainerView> = {},
): Candidate {
  const containers = [container('main', exited()), container(name, running, { image, ...more })];
  return candidate(podView({ containers, annotations }));
}

/** A pod stuck on `sidecar`, which its annotation names. */
export function stuck(more: Partial<PodView> = {}): Candidate {
  return candidate(podView(more));
}

export function template(more: Partial<TemplateView> = {}): TemplateView {
  return {
    uid: 'c-1',
    owner: undefined,
    generation: 3,
    containers: ['main', 'sidecar'],
    nativeSidecars: [],
    initContainers: 0,
    hasMetadata: true,
    annotations: {},
    ...more,
  };
}

export function cronJob(more: Partial<TemplateView> = {}): Origin {
  const reading = { kind: 'Present', template: template(more) } as const;
  return { kind: 'CronJob', namespace: 'demo', name: 'report', uid: 'c-1', reading };
}

/** The first sidecar of a stuck pod, with where it comes from. */
export function placedIn(one: Candidate, origin: Origin = cronJob({ containers: ['main'] })): Placed {
  const [sidecar] = placed(one, origin, catalogue);
  if (!sidecar) throw new Error('no sidecar');
  return sidecar;
}

/** A cluster with these kubelets, of nodes a, b, c, … */
export function versions(
  server: string | undefined = 'v1.34.1',
  ...kubelets: readonly string[]
): ClusterVersions {
  const nodes = kubelets.map((version, index) => ({ node: String.fromCharCode(97 + index), version }));
  return { server, kubelets: { kind: 'Read', items: nodes } };
}
