import { ownValue } from '../model/annotations.ts';
import { matchesRepository } from '../model/image.ts';
import { argoExecutors, type PodView } from '../model/pod.ts';
import type { Statement } from '../model/verdict.ts';
import type { Source } from './evidence.ts';

type Platform = 'Airflow' | 'Flyte' | 'Katib' | 'Spark';

type Labelled = Pick<PodView, 'labels' | 'annotations' | 'ref'>;

/** The annotation in which Flyte names the container that does the work (flyteorg/flyte, flytek8s/pod_helper.go). */
const flytePrimaryKey = 'primary_container_name';

/** A pod of Airflow's KubernetesPodOperator (apache/airflow, providers/cncf/kubernetes, operators/pod.py). */
function isAirflowTask({ labels }: Pick<Labelled, 'labels'>): boolean {
  return ownValue(labels, 'kubernetes_pod_operator') === 'True';
}

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
function mainNames({ annotations, labels }: PodView): ReadonlyMap<string | undefined, Platform> {
  const primary = ownValue(annotations, flytePrimaryKey);
  return new Map<string | undefined, Platform>([
    ['spark-kubernetes-driver', 'Spark'],
    ['spark-kubernetes-executor', 'Spark'],
    ...(isAirflowTask({ labels }) ? ([['base', 'Airflow']] as const) : []),
    [primary, 'Flyte'],
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

/** If the template is unknown, so are the roles of the containers that are not Argo's own. */
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

/** Marks of platforms that do not count a `Failed` pod as finished work; some run it again. */
const phaseMarks: readonly ((pod: Labelled) => boolean)[] = [
  // `cleanup` in operators/pod.py fails the task unless the pod has succeeded, and the task may have retries.
  isAirflowTask,
  // `waitForPodSuccess` in helm/helm, pkg/kube/client.go, fails the test, installation or upgrade.
  ({ annotations }) => Object.hasOwn(annotations, 'helm.sh/hook'),
  // argoproj/gitops-engine, pkg/health/health_pod.go: such a hook is `Degraded`, which fails the sync.
  ({ annotations }) => Object.hasOwn(annotations, 'argocd.argoproj.io/hook'),
  // flyteorg/flyte, flyteplugins/go/tasks/plugins/k8s/pod/plugin.go: the phase takes precedence over the container's own end.
  ({ annotations }) => Object.hasOwn(annotations, flytePrimaryKey),
  // apache/spark, deploy/k8s/submit/LoggingPodStatusWatcher.scala, for callers that wait for spark-submit, as Airflow does.
  ({ labels }) => ownValue(labels, 'spark-role') === 'driver',
  // kubernetes-sigs/kueue, pkg/controller/jobs/pod: a group waits for a replacement of a failed pod, and keeps its quota until then.
  ({ labels }) => ownValue(labels, 'kueue.x-k8s.io/managed') === 'true',
  // kubernetes-sigs/prow, pkg/plank/reconciler.go: the ProwJob fails with its pod.
  ({ labels }) => Object.hasOwn(labels, 'prow.k8s.io/id'),
  // armadaproject/armada, internal/executor: the job fails with its pod.
  ({ labels }) => Object.hasOwn(labels, 'armada_job_id'),
  // kestra-io/plugin-kubernetes, services/PodService.java: a task whose pod has failed has failed, and may have retries.
  ({ labels }) => Object.hasOwn(labels, 'kestra.io/taskrun-id'),
  // dagster-io/dagster, dagster_k8s/client.py, wait_for_pod: the step of a pod without a Job fails if any of its containers does.
  ({ labels }) => ownValue(labels, 'app.kubernetes.io/part-of') === 'dagster',
  // snakemake/snakemake, executors/__init__.py before 8.0, _wait_for_jobs: a rule whose pod has failed is an error, and may be retried.
  ({ labels }) => ownValue(labels, 'app') === 'snakemake',
  // https://docs.aws.amazon.com/batch/latest/userguide/eks-jobs.html: one pod is one job, which fails with it, and may be retried.
  ({ labels }) => Object.hasOwn(labels, 'batch.amazonaws.com/job-id'),
  // mlrun/mlrun, runtime_handlers/base.py, _ensure_run_state: the phase replaces what the run itself has reported, even `completed`.
  ({ labels }) => Object.hasOwn(labels, 'mlrun/uid'),
  // woodpecker-ci/woodpecker, backend/kubernetes/kubernetes.go, WaitStep: the step ends as the first container by name, such as
  // istio-proxy before wp-01h5. Older versions have the label `step` alone.
  ({ labels, ref }) =>
    Object.hasOwn(labels, 'woodpecker-ci.org/step') ||
    (Object.hasOwn(labels, 'step') && ref.name.startsWith('wp-')),
];

/** Whether a platform is known to count a failed pod as failed work, whatever its mains exited with. */
export function isJudgedByPhase(pod: Labelled): boolean {
  return phaseMarks.some((mark) => mark(pod));
}
