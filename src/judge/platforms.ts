import { flytePrimaryKey, isAirflowTask, ownValue } from '../model/annotations.ts';
import { matchesRepository } from '../model/image.ts';
import { argoExecutors, type PodView } from '../model/pod.ts';
import type { Statement } from '../model/verdict.ts';
import type { Source } from './evidence.ts';

type Platform = 'Airflow' | 'Flyte' | 'Katib' | 'Spark';

/** Containers that Katib's injector adds under names that others may use, too. */
const collectors: readonly string[] = ['file-metrics-collector', 'tfevent-metrics-collector'];

/**
 * After a task has ended, Airflow reads its result from the xcom sidecar and ends it. After a trial, Katib's collector reports the
 * metrics and ends by itself. If they ended before that, the result would be lost. (apache/airflow, providers/cncf/kubernetes,
 * utils/xcom_sidecar.py; kubeflow/katib, pkg/webhook/v1beta1/pod/inject_webhook.go, pkg/metricscollector/v1beta1/common/pns.go)
 */
export const awaitedByPlatform: Source =
  () =>
  ({ name, image }) => {
    if (name === 'airflow-xcom-sidecar') return mainOf('Airflow');
    const isCollector =
      name === 'metrics-logger-and-collector' ||
      (name === 'metrics-collector' && collectors.some((each) => matchesRepository(each, image)));
    return isCollector ? mainOf('Katib') : undefined;
  };

/** The containers that do the work in the pods of platforms; the roles of the others are left open. */
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
  const primary = ownValue(annotations, flytePrimaryKey);
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

const because = { kind: 'ArgoWorkflow' } as const;

/** Argo's own containers, which save the outputs after the work: ending them would lose artifacts. */
export const awaitedByArgo: Source =
  ({ argo }) =>
  ({ name }) =>
    argo && argoExecutors.includes(name) ? { role: 'Main', because } : undefined;

/**
 * Argo Workflows: the containers of the template do the work, and all others but Argo's own are sidecars. If the template is
 * unknown, so are the roles of the others.
 */
export const argoContainer: Source = ({ argo, containers }) => {
  if (!argo) return () => undefined;
  const mains = new Set(argo.mains);
  const isTemplateKnown = containers.some(({ name }) => mains.has(name));
  return ({ name }) => {
    if (argoExecutors.includes(name)) return undefined;
    if (mains.has(name)) return { role: 'Main', because };
    return isTemplateKnown ? { role: 'Sidecar', because } : undefined;
  };
};
