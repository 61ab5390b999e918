import type { PodName } from '../../model/pod.ts';

const part = encodeURIComponent;

export const namespacesPath = '/api/v1/namespaces';
export const nodesPath = '/api/v1/nodes';

export const namespacePath = (name: string) => `${namespacesPath}/${part(name)}`;
export const nodePath = (name: string) => `${nodesPath}/${part(name)}`;

/** The pods of a namespace, or of all of them. */
export function podsPath(namespace: string | undefined): string {
  return namespace === undefined ? '/api/v1/pods' : `${namespacePath(namespace)}/pods`;
}

export function podPath({ namespace, name }: PodName, subresource?: string): string {
  const pod = `${podsPath(namespace)}/${part(name)}`;
  return subresource === undefined ? pod : `${pod}/${subresource}`;
}

const batchPath = (namespace: string) => `/apis/batch/v1/namespaces/${part(namespace)}`;

export const jobsPath = (namespace: string) => `${batchPath(namespace)}/jobs`;
export const jobPath = (namespace: string, name: string) => `${jobsPath(namespace)}/${part(name)}`;
export const cronJobPath = (namespace: string, name: string) =>
  `${batchPath(namespace)}/cronjobs/${part(name)}`;
