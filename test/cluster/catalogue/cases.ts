import type { MethodName } from '../../../src/methods/index.ts';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import type { Unfit } from '../../../src/model/step.ts';
import { type Container, containerOf, ignoresTerm, type PodManifest } from '../../kit/emulator/index.ts';

/** A sidecar whose stand-in shows what no table of steps shows, and how a sweep ends it. */
export interface CatalogueCase {
  /** Its entry of the catalogue; undefined if another tool's annotation says how it ends. */
  readonly profile: string | undefined;
  readonly title: string;
  readonly sidecar: Container;
  readonly methods: readonly MethodName[];
  /** The sidecar's log of requests and signals; undefined after a swap, which loses the log. */
  readonly heard: readonly string[] | undefined;
  readonly more: More;
}

interface More {
  readonly sweep?: SweepName;
  readonly main?: Container;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodManifest['spec']>;
  /** By default, it exits 0. */
  readonly outcome?: Partial<ContainerOutcome>;
  /** Steps that are dropped because of what the pod shows. */
  readonly unfit?: readonly Partial<Unfit>[];
  /** What the first step runs. */
  readonly command?: readonly string[];
}

/**
 * `swapping`, `unclean` and `any` allow any exit code. `exec` and `forward` use an account with only that permission. `swapping` and
 * `forbidding` have an image swap as the last resort. `any` runs any command of an annotation.
 */
export type SweepName = 'swapping' | 'forbidding' | 'exec' | 'forward' | 'unclean' | 'any';

type Settings = Pick<Container, 'command' | 'args'> & { readonly env?: Readonly<Record<string, string>> };

export function sidecar(name: string, image: string, { env = {}, ...settings }: Settings = {}): Container {
  return { name, image, ...settings, env: Object.entries(env).map(([key, value]) => ({ name: key, value })) };
}

/** A main container that calls the sidecar's port from a non-loopback address. */
function asksFromElsewhere(method: string, port: number, path: string): Container {
  const command = ['/asks-from-elsewhere', method, String(port), path];
  return { name: 'main', image: 'docker.io/acme/elsewhere:1', command };
}

const istio = (env: Readonly<Record<string, string>> = {}) =>
  sidecar('istio-proxy', 'docker.io/istio/proxyv2:1.27.0-distroless', { env });
const linkerd = (enabled?: string) =>
  sidecar('linkerd-proxy', 'cr.l5d.io/linkerd/proxy:edge-26.1.1', {
    env: enabled === undefined ? {} : { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: enabled },
  });
const cloudSql = (variant: string, ...args: readonly string[]) =>
  sidecar('cloud-sql-proxy', `gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.20.0${variant}`, {
    args: [...args],
  });
const collector = 'docker.io/otel/opentelemetry-collector-contrib:0.140.0';
const vault = (settings: Settings) => sidecar('vault-agent', 'docker.io/hashicorp/vault:1.20', settings);
const gcsfuse = (registry: string) =>
  sidecar('gke-gcsfuse-sidecar', `${registry}/gcs-fuse-csi-driver-sidecar-mounter:v1.20.0`);
const vaultQuits = { 'vault.hashicorp.com/agent-enable-quit': 'true' };
const swapped = ['Signal', 'Signal', 'ImageSwap'] as const;
const shownOtherwise = (method: MethodName) => ({ method, reason: 'ShownOtherwise' }) as const;
const withEntrypoint = sidecar('sidecar', 'docker.io/acme/with-entrypoint:1');
const argosKill = (command: string, container = 'sidecar') => ({
  annotations: { [`workflows.argoproj.io/kill-cmd-${container}`]: command },
});
const argosDefault = argosKill('["/bin/sh", "-c", "kill -%d 1"]');

type Row = readonly [
  CatalogueCase['profile'],
  title: string,
  Container,
  CatalogueCase['methods'],
  CatalogueCase['heard'],
  more?: More,
];

// biome-ignore format: one row a line
const rows: readonly Row[] = [
  ['istio', 'the agent accepts only the loopback, and drains first', istio({ TERMINATION_DRAIN: '3' }), ['Http'], ['asked POST 15020 /quitquitquit from elsewhere', 'asked POST 15020 /quitquitquit'], { main: asksFromElsewhere('POST', 15_020, '/quitquitquit') }],
  ['istio', 'without permission for port-forward, pilot-agent calls Envoy itself', istio(), ['Command'], ['asked POST 15000 /quitquitquit'], { sweep: 'exec' }],
  ['linkerd', 'the proxy accepts only the loopback, and drains first', linkerd('true'), ['Http'], ['asked POST 4191 /shutdown from elsewhere', 'asked POST 4191 /shutdown'], { annotations: { 'config.linkerd.io/proxy-admin-shutdown': 'enabled' }, main: asksFromElsewhere('POST', 4191, '/shutdown') }],
  ['linkerd', 'the injector disables the endpoint by default: it is not called, and the swap ends the proxy', linkerd('false'), swapped, undefined, { unfit: [shownOtherwise('Http'), shownOtherwise('Command')] }],
  ['linkerd', 'an endpoint of unknown state is called, and its 404 leads to the next step', linkerd(), ['Http'], ['asked POST 4191 /shutdown'], { sweep: 'forward', outcome: { kind: 'StillRunning', because: { kind: 'Unsupported', message: 'HTTP 404' } } }],
  ['linkerd', 'without permission for port-forward, linkerd-await calls the proxy', linkerd('true'), ['Command'], ['asked POST 4191 /shutdown'], { sweep: 'exec' }],
  ['consul-dataplane', 'listens on 20300 by default, which is called if 20600 is closed', sidecar('consul-dataplane', 'docker.io/hashicorp/consul-dataplane:1.8.0'), ['Http', 'Http'], ['asked POST 20300 /graceful_shutdown']],
  ['kuma', 'gets its signal from the shell of its image, which is not /bin/sh', sidecar('kuma-sidecar', 'docker.io/kumahq/kuma-dp:2.12.0'), ['Signal', 'Command'], ['signal TERM']],
  ['envoy', 'closes the connection as it ends, which counts as an answer', sidecar('envoy', 'docker.io/envoyproxy/envoy:distroless-v1.36.0', { env: { ENVOY_ADMIN_PORT: '9902', ENVOY_ANSWERS_NOT: 'yes' } }), ['Http'], ['asked POST 9902 /quitquitquit']],
  ['cloud-sql-proxy', 'without permission for port-forward, its own command calls the endpoint', cloudSql('', '--quitquitquit', 'p:r:i'), ['Command'], ['asked POST 9091 /quitquitquit'], { sweep: 'exec' }],
  ['cloud-sql-proxy', 'without a flag, would exit 143 on TERM, which is held back: the swap ends it', cloudSql('-alpine'), swapped, undefined, { sweep: 'forbidding' }],
  ['cloud-sql-proxy', 'exits 143 on TERM if unclean exits are allowed', cloudSql('-alpine'), ['Signal'], ['signal TERM'], { sweep: 'unclean', outcome: { kind: 'Stopped', exitCode: 143 } }],
  ['vault-agent', 'gets TERM if it exceeds its grace period, and is never called twice', vault({ env: { VAULT_ENABLE_QUIT: 'yes', VAULT_TAKES: '600' } }), ['Http', 'Signal'], ['asked POST 8200 /agent/v1/quit', 'signal TERM'], { annotations: vaultQuits }],
  ['vault-agent', 'gets TERM as the child of a shell if the injector started it so, and the shell exits 0', vault({ command: ['/bin/sh', '-ec', 'test -n "$HOSTNAME" && /bin/vault agent && true'] }), ['Signal'], ['signal TERM'], { unfit: [{ method: 'Http', reason: 'NotShown' }] }],
  ['opentelemetry-collector', 'has neither an endpoint nor a shell: the swap ends it', sidecar('otc-container', collector), swapped, undefined],
  ['gcsfuse', 'ends after the file `exit` appears in its volume', gcsfuse('gke.gcr.io/debug'), ['Command'], ['found exit']],
  ['gcsfuse', 'without a shell, the file cannot be written: the swap ends it', gcsfuse('gke.gcr.io'), ['Command', ...swapped], undefined],
  ['pgbouncer', 'exits 0 on INT, unlike on TERM', sidecar('pgbouncer', 'docker.io/edoburu/pgbouncer:v1.22.1'), ['Signal'], ['signal INT']],
  ['kubexit', 'ends its command when its death dependencies have tombstones, in its own graveyard', sidecar('wrapped', 'docker.io/acme/wrapped-by-kubexit:1', { env: { KUBEXIT_DEATH_DEPS: 'main,other', KUBEXIT_GRAVEYARD: '/yard' } }), ['Command'], ['died main', 'signal TERM']],
  ['git-sync', 'ends with 143 on TERM as PID 1, so TERM is held back, and the swap ends it', sidecar('git-sync', 'registry.k8s.io/git-sync/git-sync:v4.4.0'), swapped, [], { sweep: 'forbidding' }],
  ['statsd-exporter', 'is called if its endpoint is on', sidecar('statsd-exporter', 'docker.io/prom/statsd-exporter:v0.28.0', { args: ['--web.enable-lifecycle'] }), ['Http'], ['asked POST 9102 /-/quit']],
  ['alloydb-auth-proxy', 'exits 0 on TERM with its own flag, which is not named like that of cloud-sql-proxy', sidecar('alloydb-auth-proxy', 'gcr.io/alloydb-connectors/alloydb-auth-proxy:1.13.0-bookworm', { args: ['--exit-zero-sigterm', 'projects/p/locations/l/clusters/c/instances/i'] }), ['Signal'], ['signal TERM']],

  // With the annotations of the documentation of Argo Workflows.
  [undefined, 'Argo: a command of the sidecar', istio(), ['Command'], ['asked POST 15000 /quitquitquit'], { ...argosKill('["pilot-agent", "request", "POST", "quitquitquit"]', 'istio-proxy'), sweep: 'unclean', command: ['pilot-agent', 'request', 'POST', 'quitquitquit'] }],
  [undefined, 'Argo: kill -%d', vault({}), ['Command'], ['signal TERM'], { ...argosKill('["sh", "-c", "kill -%d 1"]', 'vault-agent'), sweep: 'unclean', command: ['sh', '-c', 'kill -15 1'] }],
  // PID 1 is the pause process; `kill 1` would end the pod.
  [undefined, 'Argo: kill -%d $(pidof ...)', withEntrypoint, ['Command'], ['signal TERM'], { ...argosKill('["sh", "-c", "kill -%d $(pidof entrypoint.sh)"]'), sweep: 'unclean', spec: { shareProcessNamespace: true }, command: ['sh', '-c', 'kill -15 $(pidof entrypoint.sh)'] }],
  [undefined, 'Argo: its default fails without /bin/sh, and a swap ends the sidecar', sidecar('sidecar', collector), ['Command', 'Command', ...swapped], undefined, argosDefault],
  [undefined, 'Argo: its default fails if PID 1 is a shell, and a signal reaches the child', sidecar('sidecar', 'docker.io/acme/logging:1', { command: ['/bin/sh', '-c', '/sidecar TERM=0 && echo bye'], args: [] }), ['Command', 'Command', 'Signal'], ['signal TERM', 'bye'], argosDefault],
  [undefined, 'Argo: its default fails if the sidecar ignores TERM, and a swap ends it', containerOf('sidecar', ignoresTerm), ['Command', 'Command', ...swapped], undefined, argosDefault],
  [undefined, 'any annotation command, if the policy says so', withEntrypoint, ['Command'], undefined, { ...argosKill('["sh", "-c", "date > /tmp/when; kill -%d 1"]'), sweep: 'any', command: ['sh', '-c', 'date > /tmp/when; kill -15 1'] }],
];

export const cases = rows.map(
  ([profile, title, sidecar, methods, heard, more = {}]): CatalogueCase => ({
    ...{ profile, title, sidecar, methods, heard, more },
  }),
);
