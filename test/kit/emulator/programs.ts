import type { Container } from './world/objects.ts';
import type { LightBehaviour } from './world/runtime/light-container.ts';
import { builtInImages, type Image, type Images } from './world/runtime/processes/images.ts';

/** A container's program for both runtimes: as a real command and as a declared behaviour. */
export interface Program {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly light: LightBehaviour;
}

const SHELL = 'docker.io/local/busybox:1';
const SHELL_LESS = 'docker.io/local/distroless-sidecar:1';

const script = (text: string, light: LightBehaviour): Program => ({
  image: SHELL,
  command: ['sh', '-c', text],
  light,
});

/** Exits with this code after a moment. */
export function endsWith(exitCode: number, seconds = 1): Program {
  return script(`sleep ${seconds}; exit ${exitCode}`, { ends: { exitCode, after: seconds * 1000 } });
}

/** Runs until SIGTERM, then exits with this code. */
export function untilTerm(exitCode: number): Program {
  return script(`trap "exit ${exitCode}" TERM; while :; do sleep 1 & wait; done`, {
    on: { SIGTERM: { exitCode } },
  });
}

export const ignoresTerm: Program = script('trap "" TERM; while :; do sleep 1 & wait; done', {});

/** PID 1 without handlers: the kernel drops TERM and, from inside the namespace, even KILL. */
export const withoutHandler: Program = { image: SHELL, command: ['sleep', '100000'], light: {} };

/** An image without a shell. `POST /quitquitquit` to this port on its loopback ends it. */
export function quitsOnHttp(port: number): Program {
  return {
    image: SHELL_LESS,
    env: { TERM_EXIT: '0', QUIT_PORT: String(port) },
    light: {
      shell: false,
      on: { SIGTERM: { exitCode: 0 } },
      quit: { port, path: '/quitquitquit', exitCode: 0 },
    },
  };
}

export const imageMissing: Program = { image: 'docker.io/local/nosuch:1', light: { image: 'missing' } };

/** A container that runs the program. */
export function containerOf(name: string, { image, command, env }: Program): Container {
  return {
    name,
    image,
    imagePullPolicy: image === imageMissing.image ? 'Never' : 'IfNotPresent',
    ...(command ? { command: [...command] } : {}),
    ...(env ? { env: Object.entries(env).map(([key, value]) => ({ name: key, value })) } : {}),
  };
}

/** The same program in an image with another name. */
export function inImage(image: string, program: Program): Program {
  return { ...program, image };
}

/** Images with the same contents as those in the recordings. */
export const knownImages: Images = Object.fromEntries(
  [
    ...[
      'docker.io/acme/audit-log:3',
      'docker.io/acme/config-reloader:1',
      'docker.io/acme/log-shipper:2',
      'docker.io/acme/metrics-bridge:1',
      'docker.io/fluent/fluent-bit:3.2-debug',
      'docker.io/hashicorp/vault:1.17',
      'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14.0-alpine',
    ].map((name) => [name, builtInImages[SHELL]]),
    ['docker.io/istio/proxyv2:1.27.0-distroless', builtInImages[SHELL_LESS]],
  ].filter((entry): entry is [string, Image] => entry[1] !== undefined),
);
