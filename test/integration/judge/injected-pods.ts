import type { Emulator } from '../../emulator/index.ts';
import { ensureNamespace } from '../../emulator/index.ts';
import type { Placement } from '../../emulator/world/place-pods.ts';
import { sidecars, stuckPod } from '../stuck-pods.ts';

export interface InjectedPod {
  readonly name: string;
  readonly namespace?: string;
  /** The CronJob that made the Job. */
  readonly cronJob?: string;
  /** How many pods the Job has. */
  readonly pods?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * A Job whose template has `main`, and pods of it that have `sidecar` as well, as if a webhook had added it: main has
 * ended an hour ago, and nobody says anything of the sidecar.
 */
export function placeInjected({ world }: Emulator, injected: InjectedPod): void {
  const { name, namespace = 'demo', cronJob, pods = 1, annotations } = injected;
  ensureNamespace(world, namespace);
  const main = { name: 'main', image: 'docker.io/local/busybox:1' };
  const owner = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    name: cronJob ?? '',
    uid: 'cron-1',
    controller: true,
  };
  const job = world.createJob({
    metadata: { name, namespace, ...(cronJob && { ownerReferences: [owner] }) },
    spec: {
      parallelism: pods,
      completions: pods,
      template: { spec: { restartPolicy: 'Never', containers: [main] } },
    },
  });
  const reference = { apiVersion: 'batch/v1', kind: 'Job', name, uid: job.metadata.uid, controller: true };
  world.placePods(
    Array.from({ length: pods }, (_, index): Placement => {
      const stuck = stuckPod({ name: `${name}-${index}`, namespace, sidecar: sidecars.clean });
      const { metadata } = stuck.manifest;
      return {
        ...stuck,
        manifest: {
          ...stuck.manifest,
          metadata: {
            ...metadata,
            labels: { ...job.spec.template.metadata?.labels },
            // Everything but what `stuckPod` says of the sidecar.
            annotations: { ...unannotated(metadata?.annotations), ...annotations },
            ownerReferences: [reference],
            finalizers: ['batch.kubernetes.io/job-tracking'],
          },
        },
      };
    }),
  );
}

function unannotated(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { 'sidecar-sweeper.dev/sidecars': _said, ...others } = annotations;
  return others;
}
