import {
  BEHAVIOUR_ANNOTATION,
  type Container,
  type JobManifest,
  type LightBehaviour,
} from '../../kit/emulator/index.ts';

/** A Job whose main container succeeds at once; the image of its sidecar is the same in all of them. */
export interface OneOfMany {
  readonly namespace: string;
  readonly name: string;
  readonly sidecar: LightBehaviour;
  /** How its sidecar is started. */
  readonly start: Pick<Container, 'command' | 'args'>;
  readonly backoffLimit?: number;
}

export function manifestOf({ namespace, name, sidecar, backoffLimit = 3, start }: OneOfMany): JobManifest {
  const behaviours = { main: { ends: { exitCode: 0 } }, sidecar };
  const annotations = {
    'nrmitchi.com/sidecars': 'sidecar',
    [BEHAVIOUR_ANNOTATION]: JSON.stringify(behaviours),
  };
  const containers = [
    { name: 'main', image: 'docker.io/acme/work:1' },
    { name: 'sidecar', image: 'docker.io/acme/agent:1', ...start },
  ];
  const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 30, containers } as const;
  return {
    metadata: { name, namespace },
    spec: { backoffLimit, template: { metadata: { annotations }, spec } },
  };
}

/** A name for a run that looks neither like a UUID nor like a long number. */
export const ownName = (number: number): string => `run-of-${(number + 11).toString(36)}`;
