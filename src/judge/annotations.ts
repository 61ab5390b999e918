/** What owners write on their pods for us. */
export const ownKeys = {
  sidecars: 'sidecar-sweeper.dev/sidecars',
  main: 'sidecar-sweeper.dev/main',
  skip: 'sidecar-sweeper.dev/skip',
  minAge: 'sidecar-sweeper.dev/min-age',
} as const;

/** Where the peers' users list sidecars by name, separated by commas. */
export const sidecarListKeys: readonly string[] = [
  'nrmitchi.com/sidecars', // k8s-controller-sidecars
  'lemonade.com/sidecars', // its forks
  'pod.kubernetes.io/sidecars',
  'riskified.com/sidecars',
];

/** Lists the mains instead, in one of those forks: every other container is a sidecar. */
export const mainListKey = 'riskified.com/main_sidecars';

/** Where Istio's injector writes down what it put into the pod. */
export const istioStatusKey = 'sidecar.istio.io/status';

/** The container that `kubectl exec` and `kubectl logs` mean unless told otherwise. */
export const defaultContainerKey = 'kubectl.kubernetes.io/default-container';

/** The kubelet's copy of a pod that only it rules. */
export const mirrorPodKey = 'kubernetes.io/config.mirror';

/** Where the kill command for one container may stand: our own key, then Argo Workflows'. */
export function killCommandKeys(container: string): readonly string[] {
  return [`sidecar-sweeper.dev/kill-cmd-${container}`, `workflows.argoproj.io/kill-cmd-${container}`];
}

/** Where steps for one container may stand, written as in a policy. */
export function stepsKey(container: string): string {
  return `sidecar-sweeper.dev/steps-${container}`;
}

/** The value of an annotation; never something inherited from Object.prototype. */
export function annotation(annotations: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** The names in a list annotation; spaces around them and empty entries are tolerated. */
export function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap((name) => name.trim() || []);
}

/** The names that a list annotation has; none when it is not there. */
export function listedUnder(annotations: Readonly<Record<string, string>>, key: string): readonly string[] {
  const list = annotation(annotations, key);
  return list === undefined ? [] : namesIn(list);
}
