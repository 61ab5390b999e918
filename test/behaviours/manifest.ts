import type { V1Container, V1Job } from '@kubernetes/client-node';
import type { Behaviour } from './behaviours.ts';

/** Which image stands for what; on a real cluster they come from the environment. */
export interface Images {
  readonly shell: string;
  readonly shellLess: string;
  /** A sidecar that quits by HTTP, with its command if the image's own is not it. */
  readonly quits: { readonly image: string; readonly command?: readonly string[] };
  /** An image that exits 0 at once when it is started without a command. */
  readonly noop: string;
}

/** The Job of a behaviour; short graces, so that a suite takes seconds. */
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
      // A main that crashes must not use it up while other pods wait for their images.
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
    // The profiles of the sweeps' policies go by this name.
    name: sweep === 'http' || sweep === 'tombstone' ? sweep : 'sidecar',
    image: sidecar.image === 'quits' ? images.quits.image : images[sidecar.image],
    ...(command && { command: [...command] }),
    ...(sidecar.runAsUser && {
      securityContext: { runAsUser: sidecar.runAsUser, runAsGroup: sidecar.runAsUser },
    }),
    ...(sidecar.native && { restartPolicy: 'Always' }),
  };
}
