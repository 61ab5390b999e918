import type { Placement, World } from '../kit/emulator/index.ts';

/** A Job of this name that finds its pod there when it looks for the first time. */
export function ownedByJob(
  manifest: Placement['manifest'],
  name: string,
  world: World,
): Placement['manifest'] {
  const { metadata, spec } = manifest;
  const { namespace = '', annotations } = metadata;
  const job = world.createJob({
    metadata: { namespace, name },
    spec: { template: { metadata: { ...(annotations && { annotations }) }, spec } },
  });
  const { uid } = job.metadata;
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true };
  const labels = { 'controller-uid': uid, 'job-name': name };
  const finalizers = ['batch.kubernetes.io/job-tracking'];
  return { metadata: { ...metadata, labels, finalizers, ownerReferences: [owner] }, spec };
}
