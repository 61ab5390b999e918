import type { PodView } from './pod.ts';

type Values = Readonly<Record<string, string>>;

/** The value of an annotation, label or variable; never something inherited from Object.prototype. */
export function ownValue(values: Values, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** The annotations by which owners instruct the sweeper. */
export const ownKeys = {
  sidecars: 'sidecar-sweeper.dev/sidecars',
  exitsWithZero: 'sidecar-sweeper.dev/exits-with-zero',
  main: 'sidecar-sweeper.dev/main',
  skip: 'sidecar-sweeper.dev/skip',
  minAge: 'sidecar-sweeper.dev/min-age',
} as const;

/** Annotations of other tools that list the names of sidecars, separated by commas. */
export const sidecarListKeys: readonly string[] = [
  'nrmitchi.com/sidecars', // k8s-controller-sidecars
  'lemonade.com/sidecars', // its forks
  'pod.kubernetes.io/sidecars',
  'riskified.com/sidecars',
];

/** Lists the mains instead, in one of the forks; every other container is a sidecar. */
export const mainListKey = 'riskified.com/main_sidecars';

/** Where Istio's injector records what its templates contain. */
export const istioStatusKey = 'sidecar.istio.io/status';
/** Where it records the containers of its templates that the pod had before. */
export const istioOverridesKey = 'proxy.istio.io/overrides';

/** The container that `kubectl exec` and `kubectl logs` use by default. */
export const defaultContainerKey = 'kubectl.kubernetes.io/default-container';

/** The annotations that list names of containers. */
export const listKeys: readonly string[] = [
  ownKeys.main,
  ownKeys.sidecars,
  ownKeys.exitsWithZero,
  ...sidecarListKeys,
  mainListKey,
  defaultContainerKey,
];

/** Marks the API server's mirror of a static pod. */
export const mirrorPodKey = 'kubernetes.io/config.mirror';

/** The variable in which kubexit lists the processes that a process waits for. */
export const deathDependencies = 'KUBEXIT_DEATH_DEPS';
/** The variable by which others know a process. */
export const processName = 'KUBEXIT_NAME';

/** The annotations that may hold a kill command for a container: ours, then that of Argo Workflows. */
export function killCommandKeys(container: string): readonly string[] {
  return [`sidecar-sweeper.dev/kill-cmd-${container}`, `workflows.argoproj.io/kill-cmd-${container}`];
}

/** The annotation that may hold steps for a container, written as in a policy. */
export function stepsKey(container: string): string {
  return `sidecar-sweeper.dev/steps-${container}`;
}

/** The names in a comma-separated list; surrounding spaces and empty entries are ignored. */
export function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}

/** The names in a list annotation; empty if it does not exist. */
export function listedUnder(annotations: Values, key: string): readonly string[] {
  return namesIn(ownValue(annotations, key) ?? '');
}

/** The words that Go's `strconv.ParseBool` reads as false, which Kubernetes and most sidecars use for flags. */
const falseValues: readonly string[] = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

/** Whether the value of a flag switches it off. */
export function isFalse(value: string): boolean {
  return falseValues.includes(value.trim());
}

/** Whether the owner of a pod or a namespace has opted out: any value but false does. */
export function optsOut(annotations: Values): boolean {
  const skip = ownValue(annotations, ownKeys.skip);
  return skip !== undefined && !isFalse(skip);
}

type Labelled = Pick<PodView, 'labels' | 'annotations'>;

/** The annotation in which Flyte names the container that does the work (flyteorg/flyte, flytek8s/pod_helper.go). */
export const flytePrimaryKey = 'primary_container_name';

/** A pod of Airflow's KubernetesPodOperator (apache/airflow, providers/cncf/kubernetes, operators/pod.py). */
export function isAirflowTask({ labels }: Pick<Labelled, 'labels'>): boolean {
  return ownValue(labels, 'kubernetes_pod_operator') === 'True';
}

/**
 * Marks of the platforms that judge pods by their phase, from outside the cluster or without owning them. None of them counts a
 * `Failed` pod as finished work, and some run it again.
 */
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
];

/** Whether a platform is known to count a failed pod as failed work, whatever its mains exited with. */
export function isJudgedByPhase(pod: Labelled): boolean {
  return phaseMarks.some((mark) => mark(pod));
}
