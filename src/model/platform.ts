import { own } from './annotations.ts';
import type { PodView } from './pod.ts';

type Marked = Pick<PodView, 'labels' | 'annotations'>;

/** The annotation in which Flyte names the container that does the work (flyteorg/flyte, flytek8s/pod_helper.go). */
export const flytePrimaryKey = 'primary_container_name';

/** A pod of Airflow's KubernetesPodOperator (apache/airflow, providers/cncf/kubernetes, operators/pod.py). */
export function isAirflowTask({ labels }: Pick<Marked, 'labels'>): boolean {
  return own(labels, 'kubernetes_pod_operator') === 'True';
}

/**
 * What marks the pods that a platform judges by their phase from outside the cluster, or without owning them. None of them counts a
 * `Failed` pod as work that is done, and some run it again.
 */
const marks: readonly ((pod: Marked) => boolean)[] = [
  // `cleanup` in operators/pod.py fails the task unless the pod has succeeded, and the task may have retries.
  isAirflowTask,
  // `waitForPodSuccess` in helm/helm, pkg/kube/client.go, fails the test, installation or upgrade.
  ({ annotations }) => own(annotations, 'helm.sh/hook') !== undefined,
  // argoproj/gitops-engine, pkg/health/health_pod.go: such a hook is `Degraded`, which fails the sync.
  ({ annotations }) => own(annotations, 'argocd.argoproj.io/hook') !== undefined,
  // flyteorg/flyte, flyteplugins/go/tasks/plugins/k8s/pod/plugin.go: the phase takes precedence over the container's own end.
  ({ annotations }) => own(annotations, flytePrimaryKey) !== undefined,
  // apache/spark, deploy/k8s/submit/LoggingPodStatusWatcher.scala, for callers that wait for spark-submit, as Airflow does.
  ({ labels }) => own(labels, 'spark-role') === 'driver',
  // kestra-io/plugin-kubernetes, services/PodService.java: a task whose pod has failed has failed, and may have retries.
  ({ labels }) => own(labels, 'kestra.io/taskrun-id') !== undefined,
];

/** Whether a platform is known to count a failed pod as failed work, whatever its mains exited with. */
export function isJudgedByPhase(pod: Marked): boolean {
  return marks.some((mark) => mark(pod));
}
