import { type Emulator, ensureNamespace, type Placement } from '../../kit/emulator/index.ts';
import { sidecars, stuckPod } from '../../kit/stuck-pods.ts';

export interface InjectedPod {
  readonly name: string;
  readonly namespace?: string;
  readonly cronJob?: string;
  readonly pods?: number;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Creates a Job with only `main` in its template, and pods with an additional `sidecar`, as if injected by a
 * webhook. The main container ended an hour ago; no annotation names the sidecar.
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
            // All annotations of `stuckPod` except the one that names the sidecar.
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
