import type { PodName } from '../vocabulary.ts';

/** The path of a pod, or of something below it; every part is what a path part may be. */
export function podPath({ namespace, name }: PodName, subresource?: string): string {
  const pod = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
  return subresource === undefined ? pod : `${pod}/${subresource}`;
}
