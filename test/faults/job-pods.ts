import type { Emulator, JobManifest, Placement } from '../kit/emulator/index.ts';
import { type StuckPod, stuckPod } from '../kit/stuck-pods.ts';

interface JobOfPods {
  readonly namespace: string;
  readonly spec?: Partial<JobManifest['spec']>;
  readonly pod?: StuckPod;
  /** How many pods it has, `pod-0` and so on, each with the index of its number. */
  readonly pods?: number;
  /** What of the pods is not in the Job's template, because a webhook added it. */
  readonly injected?: string;
}

/** The stuck pods of one Job, `work`, which finds them there when it looks for the first time. */
export function podsOfJob(
  { world }: Emulator,
  { namespace, spec = {}, pod, pods = 1, injected }: JobOfPods,
): readonly Placement[] {
  const { manifest } = stuckPod({ ...pod, namespace });
  const containers = manifest.spec.containers.filter(({ name }) => name !== injected);
  const job = world.createJob({
    metadata: { namespace, name: 'work' },
    spec: {
      parallelism: pods,
      completions: pods,
      ...spec,
      template: { spec: { ...manifest.spec, containers } },
    },
  });
  const { uid } = job.metadata;
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'work', uid, controller: true };
  return Array.from({ length: pods }, (_, index): Placement => {
    const placement = stuckPod({ ...pod, namespace, name: `pod-${index}` });
    const { metadata } = placement.manifest;
    const completion = { 'batch.kubernetes.io/job-completion-index': String(index) };
    return {
      ...placement,
      manifest: {
        ...placement.manifest,
        metadata: {
          ...metadata,
          annotations: { ...metadata.annotations, ...(spec['completionMode'] === 'Indexed' && completion) },
          labels: { 'controller-uid': uid, 'batch.kubernetes.io/controller-uid': uid, 'job-name': 'work' },
          finalizers: ['batch.kubernetes.io/job-tracking'],
          ownerReferences: [owner],
        },
      },
    };
  });
}
