import type { V1Container, V1ContainerStatus, V1Job, V1JobSpec, V1Pod } from '@kubernetes/client-node';
import type { Images } from './manifest.ts';
import { onTerm, shell } from './scripts.ts';

/** A Job whose main container succeeds after a second, while its sidecars run on. */
export interface StuckJob {
  readonly name: string;
  /** A shell that exits with 0 on TERM, but for these fields. */
  readonly sidecar?: SidecarFields;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  /** In seconds. */
  readonly grace?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly job?: Partial<V1JobSpec>;
}

/** The fields of a sidecar that differ from those of the usual one. */
export type SidecarFields = Partial<Omit<V1Container, 'name' | 'command'>> & {
  readonly command?: readonly string[];
};

export function manifestOf(stuck: StuckJob, images: Images): V1Job {
  const { name, sidecar, restartPolicy = 'Never', grace = 2, annotations, job } = stuck;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 6,
      ...job,
      template: {
        metadata: { annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar', ...annotations } },
        spec: {
          restartPolicy,
          terminationGracePeriodSeconds: grace,
          containers: [
            container('main', { command: shell('sleep 1') }, images),
            container('sidecar', sidecar, images),
          ],
        },
      },
    },
  };
}

/** An image without a command runs its own program. */
function container(name: string, { command, ...fields }: SidecarFields = {}, images: Images): V1Container {
  const runs = command ?? (fields.image === undefined ? onTerm('exit 0') : undefined);
  return { name, image: images.shell, ...fields, ...(runs && { command: [...runs] }) };
}

/** Whether the main container has ended and every sidecar is running. */
export function isStuck({ status }: V1Pod): boolean {
  const statuses = status?.containerStatuses ?? [];
  const isAsExpected = ({ name, state }: V1ContainerStatus) =>
    (name === 'main' ? state?.terminated : state?.running) !== undefined;
  return statuses.length > 0 && statuses.every(isAsExpected);
}
