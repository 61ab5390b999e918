import {
  deathDependencies,
  flytePrimaryKey,
  isAirflowTask,
  namesIn,
  own,
  processName,
} from '../model/annotations.ts';
import type { Statement } from '../model/evidence.ts';
import type { ContainerView, PodView } from '../model/pod.ts';
import type { Source } from './evidence.ts';

type Platform = 'Airflow' | 'Flyte' | 'Spark';

/**
 * Airflow reads the task's result out of this container after the task has ended, and ends it then. Before that, its end would
 * lose the result. (apache/airflow, providers/cncf/kubernetes, utils/xcom_sidecar.py)
 */
export const awaitedByAirflow: Source =
  () =>
  ({ name }) =>
    name === 'airflow-xcom-sidecar' ? mainOf('Airflow') : undefined;

/** The containers that do the work in the pods of platforms. Nothing is said about the others. */
export const mainOfPlatform: Source = (pod) => {
  const names = mainNames(pod);
  return ({ name }) => {
    const platform = names.get(name);
    return platform && mainOf(platform);
  };
};

/**
 * flyteorg/flyte, flytek8s/pod_helper.go; apache/spark, deploy/k8s/Constants.scala; apache/airflow, KubernetesPodOperator, whose
 * base_container_name can be changed.
 */
function mainNames({ annotations, labels }: PodView): ReadonlyMap<string, Platform> {
  const primary = own(annotations, flytePrimaryKey);
  return new Map<string, Platform>([
    ['spark-kubernetes-driver', 'Spark'],
    ['spark-kubernetes-executor', 'Spark'],
    ...(isAirflowTask({ labels }) ? ([['base', 'Airflow']] as const) : []),
    ...(primary === undefined ? [] : ([[primary, 'Flyte']] as const)),
  ]);
}

function mainOf(platform: Platform): Statement {
  return { role: 'Main', because: { kind: 'Platform', platform } };
}

const executors: readonly string[] = ['wait', 'supervisor'];
const because = { kind: 'ArgoWorkflow' } as const;

/** Argo's own containers, which save the outputs after the work: ending them would lose artifacts. */
export const awaitedByArgo: Source =
  ({ argo }) =>
  ({ name }) =>
    argo && executors.includes(name) ? { role: 'Main', because } : undefined;

/**
 * Argo Workflows: the containers of the template do the work, and all others but Argo's own are sidecars. If the template is
 * unknown, nothing is said about the others.
 */
export const argoContainer: Source = ({ argo, containers }) => {
  if (!argo) return () => undefined;
  const mains = new Set(argo.mains);
  const isTemplateKnown = containers.some(({ name }) => mains.has(name));
  return ({ name }) => {
    if (executors.includes(name)) return undefined;
    if (mains.has(name)) return { role: 'Main', because };
    return isTemplateKnown ? { role: 'Sidecar', because } : undefined;
  };
};

/**
 * The circle that each name belongs to: two names have the same one if each leads to the other. Every edge is followed once.
 * https://en.wikipedia.org/wiki/Tarjan%27s_strongly_connected_components_algorithm
 */
export function circlesOf(edges: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const circles = new Map<string, number>();
  const open: string[] = [];
  /** The earliest name that this one leads back to. Only names with edges are visited from others, so it is never deep. */
  function visit(name: string): number {
    const order = found.size;
    found.set(name, order);
    open.push(name);
    let earliest = order;
    for (const next of edges.get(name) ?? []) {
      if (circles.has(next)) continue;
      earliest = Math.min(earliest, found.get(next) ?? visit(next));
    }
    if (earliest === order) {
      for (const member of open.splice(open.lastIndexOf(name))) circles.set(member, order);
    }
    return earliest;
  }
  for (const name of edges.keys()) if (!found.has(name)) visit(name);
  return circles;
}

/**
 * kubexit: a process with death dependencies ends after them, so it is a sidecar. A process without any, on
 * which others depend, is a main. Circular dependencies say nothing.
 */
export const kubexitDependencies: Source = ({ containers }) => {
  const awaitedBy = new Map(containers.map((container) => [container, dependenciesOf(container)]));
  const awaited = new Set([...awaitedBy.values()].flat());
  if (awaited.size === 0) return () => undefined;
  const circles = circlesOf(byName(awaitedBy));
  return (container) => {
    const name = own(container.env, processName);
    const dependencies = awaitedBy.get(container) ?? [];
    if (dependencies.length > 0) {
      const circle = name === undefined ? undefined : circles.get(name);
      // Its own dependencies lead back to it.
      if (circle !== undefined && dependencies.some((each) => circles.get(each) === circle)) return undefined;
      return { role: 'Sidecar', because: { kind: 'Variable', name: deathDependencies } };
    }
    return name && awaited.has(name)
      ? { role: 'Main', because: { kind: 'Variable', name: processName } }
      : undefined;
  };
};

/** What each process waits for; several may go by one name. */
function byName(
  dependencies: ReadonlyMap<ContainerView, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  for (const [{ env }, awaited] of dependencies) {
    const name = own(env, processName);
    if (name === undefined) continue;
    const known = named.get(name) ?? [];
    for (const each of awaited) known.push(each);
    named.set(name, known);
  }
  return named;
}

function dependenciesOf({ env }: ContainerView): readonly string[] {
  return namesIn(own(env, deathDependencies) ?? '');
}
