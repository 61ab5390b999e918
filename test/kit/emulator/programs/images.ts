import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  hostProgram,
  type Image,
  type Images,
  perlModules,
  type RootEntry,
} from '../world/runtime/processes/images.ts';

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
const tools = {
  '/usr/bin/pidof': 'process-tools',
  '/usr/bin/pkill': 'process-tools',
  '/usr/bin/curl': 'curl',
};

const contents: Readonly<Record<string, Contents>> = {
  'docker.io/istio/proxyv2:1.27.0': withShell(also(pilotAgent, tools)),
  'docker.io/istio/proxyv2:1.27.0-distroless': pilotAgent,
  'cr.l5d.io/linkerd/proxy:edge-26.1.1': also(
    one('/usr/lib/linkerd/linkerd2-proxy', 'linkerd2-proxy'),
    // Gives linkerd-await something to run.
    { '/usr/lib/linkerd/linkerd-await': 'linkerd-await', '/bin/sleep': 'exits-0' },
  ),
  'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0': cloudSqlProxy,
  'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0-alpine': withShell(cloudSqlProxy),
  'gcr.io/cloudsql-docker/gce-proxy:1.37.0-alpine': withShell(signalled('TERM=0')),
  'gcr.io/alloydb-connectors/alloydb-auth-proxy:1.13.0-bookworm': withShell(
    one('/alloydb-auth-proxy', 'cloud-sql-proxy'),
  ),
  'docker.io/hashicorp/vault:1.20': withShell(one('/bin/vault', 'vault')),
  'quay.io/openbao/openbao:2.6.2': withShell(
    also(one('/usr/bin/bao', 'vault'), { '/usr/bin/vault': 'vault' }),
  ),
  'docker.io/hashicorp/consul-dataplane:1.8.0': one('/usr/local/bin/consul-dataplane', 'consul-dataplane'),
  'docker.io/daprio/daprd:1.16.0': one('/daprd', 'daprd'),
  'docker.io/kumahq/kuma-dp:2.12.0': withShell(signalled('TERM=0'), '/busybox/sh'),
  'docker.io/envoyproxy/envoy:distroless-v1.36.0': one('/usr/local/bin/envoy', 'envoy'),
  'docker.io/otel/opentelemetry-collector-contrib:0.140.0': signalled('TERM=0'),
  'public.ecr.aws/aws-observability/aws-otel-collector:v0.45.0': signalled('TERM=0'),
  'docker.io/fluent/fluent-bit:4.1': signalled('TERM=0:2'),
  'docker.io/fluent/fluent-bit:4.1-debug': withShell(signalled('TERM=0:3')),
  'gcr.io/datadoghq/agent:7': withShell(signalled('TERM=0')),
  'gke.gcr.io/gcs-fuse-csi-driver-sidecar-mounter:v1.20.0': gcsfuse,
  'gke.gcr.io/debug/gcs-fuse-csi-driver-sidecar-mounter:v1.20.0': withShell(gcsfuse),
  'docker.io/edoburu/pgbouncer:v1.22.1': withShell(signalled('INT=0', 'TERM=1')),
  'docker.io/library/nginx:1.29': withShell(signalled('QUIT=0:1', 'TERM=0', 'INT=0')),
  'docker.io/library/haproxy:3.2': withShell(signalled('USR1=0:1', 'TERM=143')),
  'docker.io/dweomer/stunnel:latest': withShell(signalled('TERM=0')),
  'docker.io/acme/wrapped-by-kubexit:1': withShell(
    also(
      { ...one('/kubexit', 'kubexit'), entrypoint: ['/kubexit', '/sidecar', 'TERM=0'] },
      {
        '/sidecar': 'answers-signals',
      },
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
  return fileURLToPath(new URL(name, import.meta.url));
}
