import type { KubeObject } from '../../world/objects.ts';

/** A write of a pod's status carries labels, annotations and finalizers with it, but no owners (measured on Kubernetes 1.24). */
export function withStatus(current: KubeObject, { metadata, status }: KubeObject): KubeObject {
  const { labels, annotations, finalizers, ...fixed } = current.metadata;
  const carried = {
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
  };
  const present = Object.entries(carried).filter(([, value]) => value !== undefined);
  return { ...current, metadata: { ...fixed, ...Object.fromEntries(present) }, status };
}
