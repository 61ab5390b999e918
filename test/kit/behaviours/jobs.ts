import type { V1Container, V1ContainerStatus, V1Job, V1JobSpec, V1Pod } from '@kubernetes/client-node';

/** The images of the behaviours. On a real cluster, the environment can override them. */
export interface Images {
  readonly shell: string;
  readonly shellLess: string;
  /** A sidecar that quits on an HTTP request. The command is optional. */
  readonly quits: { readonly image: string; readonly command?: readonly string[] };
  /** An image that exits 0 at once if it is started without a command. */
  readonly noop: string;
}

/** The command of a container that runs a shell script. */
export const shell = (script: string) => ['sh', '-c', script] as const;

/** A script that waits for TERM and then runs a command. */
export const onTerm = (command: string) => shell(`trap "${command}" TERM; while :; do sleep 1 & wait; done`);

/** A Job whose main container succeeds after a second, while its sidecar runs on. */
export interface StuckJob {
  readonly name: string;
  readonly main?: readonly string[];
  /** A shell that exits with 0 on TERM, but for these fields. */
  readonly sidecar?: SidecarFields;
  /** Whether the sidecar is an init container with restartPolicy Always. */
  readonly isNative?: boolean;
  readonly restartPolicy?: 'Never' | 'OnFailure';
  /** In seconds. */
  readonly grace?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly shareProcessNamespace?: boolean;
  readonly job?: Partial<V1JobSpec>;
}

export type SidecarFields = Partial<Omit<V1Container, 'command'>> & { readonly command?: readonly string[] };

export function manifestOf(stuck: StuckJob, images: Images): V1Job {
  const { name, main = shell('sleep 1'), isNative = false, restartPolicy = 'Never', grace = 2 } = stuck;
  const { labels, annotations, shareProcessNamespace, job } = stuck;
  const sidecar = sidecarOf(stuck.sidecar, images);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      // A crashing main container must not exhaust it while other pods pull their images.
      backoffLimit: 6,
      ...job,
      template: {
        metadata: { labels: { ...labels }, annotations: { ...annotations } },
        spec: {
          restartPolicy,
          terminationGracePeriodSeconds: grace,
          ...(shareProcessNamespace && { shareProcessNamespace }),
          ...(isNative && { initContainers: [{ ...sidecar, restartPolicy: 'Always' }] }),
          containers: [
            { name: 'main', image: images.shell, command: [...main] },
            ...(isNative ? [] : [sidecar]),
          ],
        },
      },
    },
  };
}

/** An image without a command runs its own program. */
function sidecarOf({ command, ...fields }: SidecarFields = {}, images: Images): V1Container {
  const runs = command ?? (fields.image === undefined ? onTerm('exit 0') : undefined);
  return { name: 'sidecar', image: images.shell, ...fields, ...(runs && { command: [...runs] }) };
}

/** Whether the main container has ended and every sidecar is running. */
export function isStuck({ status }: V1Pod): boolean {
  const statuses = status?.containerStatuses ?? [];
  const isAsExpected = ({ name, state }: V1ContainerStatus) =>
    (name === 'main' ? state?.terminated : state?.running) !== undefined;
  return statuses.length > 0 && statuses.every(isAsExpected);
}
