import { sidecar } from '../../cluster/catalogue/cases.ts';
import {
  type Container,
  containerOf,
  ignoresTerm,
  type Job,
  type JobManifest,
  type PodManifest,
  untilTerm,
  withoutHandler,
} from '../../kit/emulator/index.ts';

/** A finished Job: its main container succeeded, and its sidecar is still running. */
export interface FinishedJob {
  readonly name: string;
  readonly sidecar: Container;
  readonly spec?: Partial<PodManifest['spec']>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Its owner can say so in an annotation. */
  readonly exitsWithZero?: true;
}

const shell = 'docker.io/local/busybox:1';
const shellLess = 'docker.io/local/distroless-sidecar:1';
const clean = containerOf('sidecar', untilTerm(0));
const unclean = containerOf('sidecar', untilTerm(143));
const onFailure = { restartPolicy: 'OnFailure' } as const;

/** The kinds of sidecars that no catalogue knows. */
// biome-ignore format: one row a line
const unknown: readonly FinishedJob[] = [
  { name: 'deaf', sidecar: containerOf('sidecar', withoutHandler) },
  { name: 'exits-0', sidecar: clean, exitsWithZero: true },
  { name: 'exits-143', sidecar: unclean },
  { name: 'onfailure-0', sidecar: clean, spec: onFailure, exitsWithZero: true },
  { name: 'onfailure-143', sidecar: unclean, spec: onFailure },
  { name: 'ignores-term', sidecar: containerOf('sidecar', ignoresTerm) },
  { name: 'no-shell-0', sidecar: sidecar('sidecar', shellLess, { env: { TERM_EXIT: '0' } }), exitsWithZero: true },
  { name: 'no-shell-143', sidecar: sidecar('sidecar', shellLess, { env: { TERM_EXIT: '143' } }) },
  { name: 'no-shell-ignores', sidecar: sidecar('sidecar', shellLess, { env: { TERM_EXIT: 'ignore' } }) },
  { name: 'no-shell-quits', sidecar: sidecar('sidecar', shellLess, { env: { QUIT_PORT: '7000' } }) },
  { name: 'non-root', sidecar: { ...clean, securityContext: { runAsUser: 1337, runAsGroup: 1337 } }, exitsWithZero: true },
  { name: 'shared-pid', sidecar: clean, spec: { shareProcessNamespace: true }, exitsWithZero: true },
  { name: 'shell-waits', sidecar: { name: 'sidecar', image: shell, command: ['sh', '-c', 'sleep 100000; echo bye'] } },
];

const istio = 'docker.io/istio/proxyv2:1.27.0-distroless';
const consul = 'docker.io/hashicorp/consul-dataplane:1.8.0';
const dapr = 'docker.io/daprio/daprd:1.16.0';
const envoy = 'docker.io/envoyproxy/envoy:distroless-v1.36.0';
const cloudSql = 'gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0';

/** Sidecars of the catalogue without a shell, each of which ends on a request to its own endpoint. */
// biome-ignore format: one row a line
const known: readonly FinishedJob[] = [
  { name: 'istio', sidecar: sidecar('istio-proxy', istio) },
  { name: 'istio-port', sidecar: sidecar('istio-proxy', istio, { env: { STATUS_PORT: '15021' } }), annotations: { 'status.sidecar.istio.io/port': '15021' } },
  { name: 'istio-envoy', sidecar: sidecar('istio-proxy', istio, { env: { STATUS_PORT: '0' } }), annotations: { 'status.sidecar.istio.io/port': '0' } },
  { name: 'linkerd', sidecar: sidecar('linkerd-proxy', 'cr.l5d.io/linkerd/proxy:edge-26.1.1', { env: { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: 'true' } }), annotations: { 'config.linkerd.io/proxy-admin-shutdown': 'enabled' } },
  { name: 'consul', sidecar: sidecar('consul-dataplane', consul) },
  { name: 'consul-k8s', sidecar: sidecar('consul-dataplane', consul, { args: ['-graceful-port=20600'] }) },
  { name: 'dapr', sidecar: sidecar('daprd', dapr) },
  { name: 'dapr-port', sidecar: sidecar('daprd', dapr, { args: ['--dapr-http-port', '3501'] }) },
  { name: 'envoy', sidecar: sidecar('envoy', envoy) },
  { name: 'cloud-sql', sidecar: sidecar('cloud-sql-proxy', cloudSql, { args: ['--quitquitquit', 'p:r:i'] }) },
  { name: 'cloud-sql-port', sidecar: sidecar('cloud-sql-proxy', cloudSql, { args: ['--admin-port', '9191', 'p:r:i'], env: { CSQL_PROXY_QUITQUITQUIT: 'true' } }) },
];

/** One Job for every kind of sidecar that a real cluster was tried with. */
export const finishedJobs: readonly FinishedJob[] = [...unknown, ...known];

export function manifestOf(job: FinishedJob, sweep: string): JobManifest {
  const { name, sidecar, spec, annotations, exitsWithZero } = job;
  const promise = { 'sidecar-sweeper.dev/exits-with-zero': sidecar.name };
  const main: Container = { name: 'main', image: shell, command: ['true'] };
  return {
    metadata: { name: nameIn(sweep, name) },
    spec: {
      backoffLimit: 3,
      template: {
        metadata: {
          labels: { sweep },
          annotations: {
            'nrmitchi.com/sidecars': sidecar.name,
            ...annotations,
            ...(sweep === 'annotated' && exitsWithZero && promise),
          },
        },
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 2,
          ...spec,
          containers: [main, sidecar],
        },
      },
    },
  };
}

export function nameIn(sweep: string, name: string): string {
  return `${sweep}-${name}`;
}

export function conditionOf(job: Job | undefined): 'Complete' | 'Failed' | 'Active' {
  const isTrue = (type: string) =>
    job?.status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
  return isTrue('Complete') ? 'Complete' : isTrue('Failed') ? 'Failed' : 'Active';
}
