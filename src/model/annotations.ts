import { bounds } from './bounds.ts';
import type { ContainerView, PodView } from './pod.ts';

/** The annotations by which owners instruct the sweeper. */
export const ownKeys = {
  sidecars: 'sidecar-sweeper.dev/sidecars',
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

/** Where Istio's injector records what its templates have. */
export const istioStatusKey = 'sidecar.istio.io/status';
/** Where it records those of them that the pod had before. */
export const istioOverridesKey = 'proxy.istio.io/overrides';

/** The container that `kubectl exec` and `kubectl logs` use by default. */
export const defaultContainerKey = 'kubectl.kubernetes.io/default-container';

/** The annotations that list names of containers. */
export const listKeys: readonly string[] = [
  ownKeys.main,
  ownKeys.sidecars,
  ...sidecarListKeys,
  mainListKey,
  defaultContainerKey,
];

/** Marks the API server's mirror of a static pod. */
export const mirrorPodKey = 'kubernetes.io/config.mirror';

/** The annotations that may hold a kill command for a container: ours, then that of Argo Workflows. */
export function killCommandKeys(container: string): readonly string[] {
  return [`sidecar-sweeper.dev/kill-cmd-${container}`, `workflows.argoproj.io/kill-cmd-${container}`];
}

/** The annotation that may hold steps for a container, written as in a policy. */
export function stepsKey(container: string): string {
  return `sidecar-sweeper.dev/steps-${container}`;
}

/** The value of an annotation; never something inherited from Object.prototype. */
export function annotation(annotations: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** The names in a comma-separated list; surrounding spaces and empty entries are ignored. */
export function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}

/** The names in a list annotation; empty if it does not exist. */
export function listedUnder(annotations: Readonly<Record<string, string>>, key: string): readonly string[] {
  const list = annotation(annotations, key);
  return list === undefined ? [] : namesIn(list);
}

/** The variable by which kubexit knows the processes that its own waits for. */
export const deathDependencies = 'KUBEXIT_DEATH_DEPS';
/** The variable by which others know a process. */
export const processName = 'KUBEXIT_NAME';

/** The value of an untrusted key; never something inherited from Object.prototype. */
export function own(values: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** What Go's `strconv.ParseBool` reads as false, by which Kubernetes and most sidecars read flags. */
const falseValues: readonly string[] = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

/** Whether a value switches off what it is the value of. */
export function saysNo(value: string): boolean {
  return falseValues.includes(value.trim());
}

/** The value of `--name=value` or `--name value`; `true` for a flag without one. Only the first arguments are read. */
export function argumentOf(
  { command, args }: Pick<ContainerView, 'command' | 'args'>,
  name: string,
): string | undefined {
  const words = [...(command ?? []).slice(0, bounds.arguments), ...(args ?? []).slice(0, bounds.arguments)];
  for (const [index, word] of words.entries()) {
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    if (word !== name) continue;
    const next = words[index + 1];
    return next === undefined || next.startsWith('-') ? 'true' : next;
  }
  return undefined;
}

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
