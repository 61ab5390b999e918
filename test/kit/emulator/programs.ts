import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Container } from './world/objects.ts';
import type { LightBehaviour } from './world/runtime/light-behaviour.ts';
import {
  builtInImages,
  hostProgram,
  type Image,
  type Images,
  perlModules,
  type RootEntry,
} from './world/runtime/processes/images.ts';

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

export function endsWith(exitCode: number, seconds = 1): Program {
  return script(`sleep ${seconds}; exit ${exitCode}`, { ends: { exitCode, after: seconds * 1000 } });
}

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

const shellImages = [
  'docker.io/acme/audit-log:3',
  'docker.io/acme/config-reloader:1',
  'docker.io/acme/log-shipper:2',
  'docker.io/acme/metrics-bridge:1',
  'docker.io/fluent/fluent-bit:3.2-debug',
  'docker.io/hashicorp/vault:1.17',
  'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14.0-alpine',
];

export const knownImages: Images = {
  ...Object.fromEntries(shellImages.map((name) => [name, builtInImages[SHELL]])),
  'docker.io/istio/proxyv2:1.27.0-distroless': builtInImages[SHELL_LESS],
};

/** The contents of an image: its shell, if any, and its programs, which are files in this folder, by path. */
interface Contents {
  readonly entrypoint: readonly [program: string, ...args: string[]];
  readonly programs: Readonly<Record<string, string>>;
  readonly shell?: string;
}

const one = (path: string, file: string): Contents => ({ entrypoint: [path], programs: { [path]: file } });
const withShell = (contents: Contents, shell = '/bin/sh'): Contents => ({ ...contents, shell });
/** A program that only reacts to signals: `TERM=0:2` exits 0 two seconds after TERM. */
const signalled = (...ends: readonly string[]): Contents => ({
  ...one('/sidecar', 'answers-signals'),
  entrypoint: ['/sidecar', ...ends],
});
const also = (contents: Contents, programs: Contents['programs']): Contents => ({
  ...contents,
  programs: { ...contents.programs, ...programs },
});

const pilotAgent = one('/usr/local/bin/pilot-agent', 'pilot-agent');
const cloudSqlProxy = one('/cloud-sql-proxy', 'cloud-sql-proxy');
const gcsfuse = one('/gcs-fuse-csi-driver-sidecar-mounter', 'gcsfuse-sidecar');
const tools = { '/usr/bin/pidof': 'tools', '/usr/bin/curl': 'tools' };

const contents: Readonly<Record<string, Contents>> = {
  'docker.io/istio/proxyv2:1.27.0-distroless': pilotAgent,
  'cr.l5d.io/linkerd/proxy:edge-26.1.1': also(
    one('/usr/lib/linkerd/linkerd2-proxy', 'linkerd'),
    // Gives linkerd-await something to run.
    { '/usr/lib/linkerd/linkerd-await': 'linkerd', '/bin/sleep': 'tools' },
  ),
  'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0': cloudSqlProxy,
  'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0-alpine': withShell(cloudSqlProxy),
  'gcr.io/alloydb-connectors/alloydb-auth-proxy:1.13.0-bookworm': withShell(
    one('/alloydb-auth-proxy', 'cloud-sql-proxy'),
  ),
  'docker.io/hashicorp/vault:1.20': withShell(one('/bin/vault', 'vault')),
  'docker.io/hashicorp/consul-dataplane:1.8.0': one('/usr/local/bin/consul-dataplane', 'consul-dataplane'),
  'docker.io/daprio/daprd:1.16.0': one('/daprd', 'daprd'),
  'docker.io/kumahq/kuma-dp:2.12.0': withShell(signalled('TERM=0'), '/busybox/sh'),
  'docker.io/envoyproxy/envoy:distroless-v1.36.0': one('/usr/local/bin/envoy', 'envoy'),
  'docker.io/otel/opentelemetry-collector-contrib:0.140.0': signalled('TERM=0'),
  'gke.gcr.io/gcs-fuse-csi-driver-sidecar-mounter:v1.20.0': gcsfuse,
  'gke.gcr.io/debug/gcs-fuse-csi-driver-sidecar-mounter:v1.20.0': withShell(gcsfuse),
  'docker.io/prom/statsd-exporter:v0.28.0': withShell(one('/bin/statsd_exporter', 'statsd-exporter')),
  'registry.k8s.io/git-sync/git-sync:v4.4.0': withShell(signalled('TERM=143', 'INT=130')),
  'docker.io/edoburu/pgbouncer:v1.22.1': withShell(signalled('INT=0', 'TERM=1')),
  'docker.io/acme/wrapped-by-kubexit:1': withShell(
    also(
      { ...one('/kubexit', 'kubexit'), entrypoint: ['/kubexit', '/sidecar', 'TERM=0'] },
      { '/sidecar': 'answers-signals' },
    ),
  ),
  'docker.io/acme/logging:1': withShell(signalled('TERM=0')),
  'docker.io/acme/elsewhere:1': one('/asks-from-elsewhere', 'asks-from-elsewhere'),
  'docker.io/acme/with-entrypoint:1': withShell(
    also(
      {
        ...one('/usr/local/bin/entrypoint.sh', 'answers-signals'),
        entrypoint: ['/usr/local/bin/entrypoint.sh', 'TERM=0'],
      },
      tools,
    ),
  ),
};

/** Images of known sidecars, each with a stand-in that has the sidecar's shutdown interface. */
export const standInImages: Images = Object.fromEntries(
  Object.entries(contents).map(([name, { entrypoint, ...what }]): [string, Image] => [
    name,
    { entrypoint, root: () => rootOf(what) },
  ]),
);

/** Perl runs the stand-ins. Its path is one that no command of a sweep uses. */
function rootOf({ programs, shell }: Omit<Contents, 'entrypoint'>): RootEntry[] {
  const mount = (path: string, source: string): RootEntry => ({ kind: 'mount', path, source });
  return [
    ...hostProgram('/app/perl', '/usr/bin/perl'),
    ...perlModules().map((path) => mount(path, path)),
    mount('/app/StandIn.pm', fileOf('StandIn.pm')),
    ...Object.entries(programs).map(([path, file]) => mount(path, fileOf(file))),
    ...(shell === undefined ? [] : hostProgram(shell, realpathSync('/bin/sh'))),
  ];
}

function fileOf(name: string): string {
  return fileURLToPath(new URL(`programs/${name}`, import.meta.url));
}
