/** Lists sidecars by name, separated by commas; ours comes first. */
export const sidecarListKeys: readonly string[] = [
  'sidecar-sweeper.dev/sidecars',
  'nrmitchi.com/sidecars', // k8s-controller-sidecars
  'lemonade.com/sidecars', // its forks
  'pod.kubernetes.io/sidecars',
  'riskified.com/sidecars',
];

/** Lists the mains instead, in one of those forks: every other container is a sidecar. */
export const mainListKeys: readonly string[] = ['riskified.com/main_sidecars'];

/** Argo Workflows' kill command for one container. */
export function killCommandKey(container: string): string {
  return `workflows.argoproj.io/kill-cmd-${container}`;
}

/** The value of an annotation; never something inherited from Object.prototype. */
export function annotation(annotations: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(annotations, key) ? annotations[key] : undefined;
}

/** Whether a list annotation names a container; spaces around names are tolerated. */
export function names(list: string, container: string): boolean {
  return list.split(',').some((name) => name.trim() === container);
}
