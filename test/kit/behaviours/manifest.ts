import type { V1Container, V1Job } from '@kubernetes/client-node';
import type { Behaviour } from './behaviours.ts';

/** The images of the behaviours. On a real cluster, the environment can override them. */
export interface Images {
  readonly shell: string;
  readonly shellLess: string;
  /** A sidecar that quits on an HTTP request. The command is optional. */
  readonly quits: { readonly image: string; readonly command?: readonly string[] };
  /** An image that exits 0 at once if it is started without a command. */
  readonly noop: string;
}

/** The Job of a behaviour, with short grace periods so that the suite takes seconds. */
export function jobOf(behaviour: Behaviour, images: Images): V1Job {
  const { main, sidecar, restartPolicy, annotations, shareProcessNamespace, sweep = 'plain' } = behaviour;
  const mainContainer = {
    name: 'main',
    image: images.shell,
    command: [...(main ?? ['sh', '-c', 'sleep 1; exit 0'])],
  };
  const sidecarContainer = sidecarOf(behaviour, images);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: behaviour.name },
    spec: {
      // A crashing main container must not exhaust it while other pods pull their images.
      backoffLimit: 6,
      template: {
        metadata: { labels: { sweep }, annotations: { ...annotations } },
        spec: {
          restartPolicy: restartPolicy ?? 'Never',
          terminationGracePeriodSeconds: 3,
          ...(shareProcessNamespace && { shareProcessNamespace }),
          ...(sidecar.native && { initContainers: [sidecarContainer] }),
          containers: [mainContainer, ...(sidecar.native ? [] : [sidecarContainer])],
        },
      },
    },
  };
}

function sidecarOf({ sidecar, sweep }: Behaviour, images: Images): V1Container {
  const quits = sidecar.image === 'quits' ? images.quits : undefined;
  const command = quits?.command ?? sidecar.command;
  return {
    // The profiles of the sweeps' policies match this name.
    name: sweep === 'http' || sweep === 'tombstone' ? sweep : 'sidecar',
    image: sidecar.image === 'quits' ? images.quits.image : images[sidecar.image],
    ...(command && { command: [...command] }),
    ...(sidecar.runAsUser && {
      securityContext: { runAsUser: sidecar.runAsUser, runAsGroup: sidecar.runAsUser },
    }),
    ...(sidecar.native && { restartPolicy: 'Always' }),
  };
}
