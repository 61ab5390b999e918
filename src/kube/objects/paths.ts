import type { PodName } from '../../model/pod.ts';

/** The path of the pods of one namespace, or of all namespaces. */
export function podsPath(namespace: string | undefined): string {
  return namespace === undefined
    ? '/api/v1/pods'
    : `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
}

/** The path of a pod, or of one of its subresources. */
export function podPath({ namespace, name }: PodName, subresource?: string): string {
  const pod = `${podsPath(namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? pod : `${pod}/${subresource}`;
}

/** The path of the Jobs of a namespace. */
export function jobsPath(namespace: string): string {
  return `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`;
}

/** The path of a Job. */
export function jobPath(namespace: string, name: string): string {
  return `${jobsPath(namespace)}/${encodeURIComponent(name)}`;
}

/** The path of all namespaces. */
export const namespacesPath = '/api/v1/namespaces';

/** The path of a namespace. */
export function namespacePath(name: string): string {
  return `${namespacesPath}/${encodeURIComponent(name)}`;
}

/** The path of all nodes. */
export const nodesPath = '/api/v1/nodes';

/** The path of a node. */
export function nodePath(name: string): string {
  return `${nodesPath}/${encodeURIComponent(name)}`;
}

/** The path of a CronJob. */
export function cronJobPath(namespace: string, name: string): string {
  return `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/cronjobs/${encodeURIComponent(name)}`;
}
