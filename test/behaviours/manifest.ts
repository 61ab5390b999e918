import type { V1Job } from '@kubernetes/client-node';
import type { Behaviour } from './behaviours.ts';

/** Which image stands for what; on a real cluster they come from the environment. */
export interface Images {
  readonly shell: string;
  readonly shellLess: string;
}

/** The Job of a behaviour; short graces, so that a suite takes seconds. */
export function jobOf(behaviour: Behaviour, images: Images): V1Job {
  const { main, sidecar, restartPolicy, annotations, shareProcessNamespace } = behaviour;
  const sidecarContainer = {
    name: 'sidecar',
    image: images[sidecar.image],
    ...(sidecar.command && { command: [...sidecar.command] }),
    ...(sidecar.runAsUser && {
      securityContext: { runAsUser: sidecar.runAsUser, runAsGroup: sidecar.runAsUser },
    }),
    ...(sidecar.native && { restartPolicy: 'Always' }),
  };
  const mainContainer = {
    name: 'main',
    image: images.shell,
    command: [...(main ?? ['sh', '-c', 'sleep 1; exit 0'])],
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: behaviour.name },
    spec: {
      backoffLimit: 2,
      template: {
        metadata: { annotations: { ...annotations } },
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
