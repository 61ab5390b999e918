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
