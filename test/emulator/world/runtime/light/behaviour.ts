import type { Container, Pod } from '../../objects.ts';

/** How a light container ends: with this code, so many milliseconds later. */
export interface LightEnd {
  readonly exitCode: number;
  readonly after?: number;
}

/** What a light container does. It is a declaration: nothing runs. */
export interface LightBehaviour {
  /** It ends by itself. */
  readonly ends?: LightEnd;
  /** The signals its PID 1 has a handler for. The kernel drops all others, SIGKILL too when sent from inside. */
  readonly on?: Partial<Record<NodeJS.Signals, LightEnd>>;
  /** An image without a shell, where no command can be run. */
  readonly shell?: false;
  /** An HTTP endpoint on its loopback that makes it end. */
  readonly quit?: LightEnd & { readonly port: number; readonly path: string };
  /** Its image cannot be had. */
  readonly image?: 'missing';
}

/** Where a pod can carry the behaviour of its containers: JSON, a LightBehaviour by container name. */
export const BEHAVIOUR_ANNOTATION = 'emulator.sidecar-sweeper.dev/behaviour';

/** Says what a container does; undefined leaves it to the pod's annotation. */
export type Behaviours = (pod: Pod, container: Container) => LightBehaviour | undefined;

const NO_OP_IMAGES = ['docker.io/local/nop:1', 'docker.io/local/nopbare:1'];

const OBEDIENT: LightBehaviour = { on: { SIGTERM: { exitCode: 0 } } };

/** What is declared for a container, unless its image does nothing. Undeclared, it runs on and exits 0 on SIGTERM. */
export function behaviourOf(pod: Pod, container: Container, declared?: Behaviours): LightBehaviour {
  if (NO_OP_IMAGES.includes(container.image)) return { ends: { exitCode: 0 } };
  const annotation = pod.metadata.annotations?.[BEHAVIOUR_ANNOTATION];
  const annotated = annotation ? (JSON.parse(annotation) as Record<string, LightBehaviour>) : {};
  return declared?.(pod, container) ?? annotated[container.name] ?? OBEDIENT;
}
