import type { PodManifest } from '../defaults.ts';
import type { Container, Job } from '../objects.ts';
import { COMPLETION_INDEX } from './completion-index.ts';

/** Keeps a deleted pod until its Job has counted it. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';

/** The pod that a Job creates from its template, with an index if the Job is Indexed. */
export function jobPod(job: Job, index: number | undefined, more: Record<string, string> = {}): PodManifest {
  const { name, namespace, uid } = job.metadata;
  const { metadata, spec } = job.spec.template;
  const indexed = index === undefined ? {} : { [COMPLETION_INDEX]: String(index) };
  const annotations = { ...metadata?.annotations, ...indexed, ...more };
  return {
    metadata: {
      generateName: index === undefined ? `${name}-` : `${name}-${index}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...metadata?.labels, ...indexed },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true, blockOwnerDeletion: true },
      ],
      finalizers: [TRACKING_FINALIZER],
    },
    spec: index === undefined ? spec : { ...spec, hostname: `${name}-${index}`, ...withIndex(spec) },
  };
}

function withIndex({ initContainers, containers }: PodManifest['spec']) {
  const fieldPath = `metadata.labels['${COMPLETION_INDEX}']`;
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } };
  const told = (container: Container): Container => ({
    ...container,
    env: [...(container.env ?? []), variable],
  });
  return {
    ...(initContainers ? { initContainers: initContainers.map(told) } : {}),
    containers: containers.map(told),
  };
}
