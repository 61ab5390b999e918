import type { MethodName } from '../../../src/methods/index.ts';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import type { Unfit } from '../../../src/model/step.ts';
import type { Container } from '../../kit/emulator/index.ts';

/** A sidecar of the catalogue whose stand-in shows what no table of steps shows, and how a sweep ends it. */
export interface CatalogueCase {
  readonly profile: string;
  readonly name: string;
  readonly title: string;
  readonly sweep?: SweepName;
  readonly sidecar: Container;
  readonly main?: Container;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly methods: readonly MethodName[];
  /** By default, it exits 0. */
  readonly outcome?: Partial<ContainerOutcome>;
  /** The sidecar's log of requests and signals; omitted after a swap, which loses the log. */
  readonly heard?: readonly string[];
  /** Steps that are dropped because of what the pod shows. */
  readonly unfit?: readonly Partial<Unfit>[];
}

/**
 * `swapping` and `unclean` allow any exit code. `exec` and `forward` use an account with only that permission. `swapping` and
 * `forbidding` have an image swap as the last resort.
 */
export type SweepName = 'swapping' | 'forbidding' | 'exec' | 'forward' | 'unclean';

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
const vault = (settings: Settings) => sidecar('vault-agent', 'docker.io/hashicorp/vault:1.20', settings);
const gcsfuse = (registry: string) =>
  sidecar('gke-gcsfuse-sidecar', `${registry}/gcs-fuse-csi-driver-sidecar-mounter:v1.20.0`);
const vaultQuits = { 'vault.hashicorp.com/agent-enable-quit': 'true' };
const bySwap = { methods: ['Signal', 'Signal', 'ImageSwap'] as const };

/** One whose stand-in acts as its source code does; by default, it ends at a signal. */
function actsAsItsSource(
  profile: string,
  title: string,
  sidecar: Container,
  more: Partial<CatalogueCase> = {},
): CatalogueCase {
  return { profile, name: 'source', title, sidecar, methods: ['Signal'], heard: ['signal TERM'], ...more };
}

export const cases: readonly CatalogueCase[] = [
  {
    profile: 'istio',
    name: 'agent',
    title: 'the agent accepts only the loopback, and drains first',
    sidecar: istio({ TERMINATION_DRAIN: '3' }),
    main: asksFromElsewhere('POST', 15_020, '/quitquitquit'),
    methods: ['Http'],
    heard: ['asked POST 15020 /quitquitquit from elsewhere', 'asked POST 15020 /quitquitquit'],
  },
  {
    profile: 'istio',
    name: 'exec',
    title: 'without permission for port-forward, pilot-agent calls Envoy itself',
    sweep: 'exec',
    sidecar: istio(),
    methods: ['Command'],
    heard: ['asked POST 15000 /quitquitquit'],
  },
  {
    profile: 'linkerd',
    name: 'on',
    title: 'the proxy accepts only the loopback, and drains first',
    sidecar: linkerd('true'),
    annotations: { 'config.linkerd.io/proxy-admin-shutdown': 'enabled' },
    main: asksFromElsewhere('POST', 4191, '/shutdown'),
    methods: ['Http'],
    heard: ['asked POST 4191 /shutdown from elsewhere', 'asked POST 4191 /shutdown'],
  },
  {
    profile: 'linkerd',
    name: 'off',
    title: 'the injector disables the endpoint by default: it is not called, and the swap ends the proxy',
    sidecar: linkerd('false'),
    ...bySwap,
    unfit: [
      { method: 'Http', reason: 'ShownOtherwise' },
      { method: 'Command', reason: 'ShownOtherwise' },
    ],
  },
  {
    profile: 'linkerd',
    name: 'untold',
    title: 'an endpoint of unknown state is called, and its 404 leads to the next step',
    sweep: 'forward',
    sidecar: linkerd(),
    methods: ['Http'],
    outcome: { kind: 'StillRunning', because: { kind: 'Unsupported', message: 'HTTP 404' } },
    heard: ['asked POST 4191 /shutdown'],
  },
  {
    profile: 'linkerd',
    name: 'exec',
    title: 'without permission for port-forward, linkerd-await calls the proxy',
    sweep: 'exec',
    sidecar: linkerd('true'),
    methods: ['Command'],
    heard: ['asked POST 4191 /shutdown'],
  },
  {
    profile: 'consul-dataplane',
    name: 'alone',
    title: 'listens on 20300 by default, which is called if 20600 is closed',
    sidecar: sidecar('consul-dataplane', 'docker.io/hashicorp/consul-dataplane:1.8.0'),
    methods: ['Http', 'Http'],
    heard: ['asked POST 20300 /graceful_shutdown'],
  },
  {
    profile: 'kuma',
    name: 'busybox',
    title: 'gets its signal from the shell of its image, which is not /bin/sh',
    sidecar: sidecar('kuma-sidecar', 'docker.io/kumahq/kuma-dp:2.12.0'),
    methods: ['Signal', 'Command'],
    heard: ['signal TERM'],
  },
  {
    profile: 'envoy',
    name: 'silent',
    title: 'closes the connection as it ends, which counts as an answer',
    sidecar: sidecar('envoy', 'docker.io/envoyproxy/envoy:distroless-v1.36.0', {
      env: { ENVOY_ADMIN_PORT: '9902', ENVOY_ANSWERS_NOT: 'yes' },
    }),
    methods: ['Http'],
    heard: ['asked POST 9902 /quitquitquit'],
  },
  {
    profile: 'cloud-sql-proxy',
    name: 'shutdown',
    title: 'without permission for port-forward, its own command calls the endpoint',
    sweep: 'exec',
    sidecar: cloudSql('', '--quitquitquit', 'p:r:i'),
    methods: ['Command'],
    heard: ['asked POST 9091 /quitquitquit'],
  },
  {
    profile: 'cloud-sql-proxy',
    name: 'no-flag',
    title: 'without a flag, would exit 143 on TERM, which is held back: the swap ends it',
    sweep: 'forbidding',
    sidecar: cloudSql('-alpine'),
    ...bySwap,
  },
  {
    profile: 'cloud-sql-proxy',
    name: 'unclean',
    title: 'exits 143 on TERM if unclean exits are allowed',
    sweep: 'unclean',
    sidecar: cloudSql('-alpine'),
    methods: ['Signal'],
    outcome: { kind: 'Stopped', exitCode: 143 },
    heard: ['signal TERM'],
  },
  {
    profile: 'vault-agent',
    name: 'once',
    title: 'gets TERM if it exceeds its grace period, and is never called twice',
    sidecar: vault({ env: { VAULT_ENABLE_QUIT: 'yes', VAULT_TAKES: '600' } }),
    annotations: vaultQuits,
    methods: ['Http', 'Signal'],
    heard: ['asked POST 8200 /agent/v1/quit', 'signal TERM'],
  },
  {
    profile: 'vault-agent',
    name: 'shell',
    title: 'gets TERM as the child of a shell if the injector started it so, and the shell exits 0',
    sidecar: vault({ command: ['/bin/sh', '-ec', 'test -n "$HOSTNAME" && /bin/vault agent && true'] }),
    methods: ['Signal'],
    heard: ['signal TERM'],
    unfit: [{ method: 'Http', reason: 'NotShown' }],
  },
  {
    profile: 'opentelemetry-collector',
    name: 'collector',
    title: 'has neither an endpoint nor a shell: the swap ends it',
    sidecar: sidecar('otc-container', 'docker.io/otel/opentelemetry-collector-contrib:0.140.0'),
    ...bySwap,
  },
  {
    profile: 'gcsfuse',
    name: 'file',
    title: 'ends after the file `exit` appears in its volume',
    sidecar: gcsfuse('gke.gcr.io/debug'),
    methods: ['Tombstone'],
    heard: ['found exit'],
  },
  {
    profile: 'gcsfuse',
    name: 'no-shell',
    title: 'without a shell, the file cannot be written: the swap ends it',
    sidecar: gcsfuse('gke.gcr.io'),
    methods: ['Tombstone', 'Signal', 'Signal', 'ImageSwap'],
  },
  {
    profile: 'pgbouncer',
    name: 'int',
    title: 'exits 0 on INT, unlike on TERM',
    sidecar: sidecar('pgbouncer', 'docker.io/edoburu/pgbouncer:v1.22.1'),
    methods: ['Signal'],
    heard: ['signal INT'],
  },
  {
    profile: 'kubexit',
    name: 'elsewhere',
    title: 'ends its command when its death dependencies have tombstones, in its own graveyard',
    sidecar: sidecar('wrapped', 'docker.io/acme/wrapped-by-kubexit:1', {
      env: { KUBEXIT_DEATH_DEPS: 'main,other', KUBEXIT_GRAVEYARD: '/yard' },
    }),
    methods: ['Tombstone'],
    heard: ['died main', 'signal TERM'],
  },
  actsAsItsSource(
    'git-sync',
    'ends with 143 on TERM as PID 1, so TERM is held back, and the swap ends it',
    sidecar('git-sync', 'registry.k8s.io/git-sync/git-sync:v4.4.0'),
    { sweep: 'forbidding', methods: bySwap.methods, heard: [] },
  ),
  ...(
    [
      ['azwi-proxy', 'azwi-proxy', 'mcr.microsoft.com/oss/v2/azure/workload-identity/proxy:v1.5.1'],
      ['aws-xray-daemon', 'xray-daemon', 'public.ecr.aws/xray/aws-xray-daemon:3.3.15'],
    ] as const
  ).map(([profile, name, image]) =>
    actsAsItsSource(profile, 'has no shell: the swap ends it', sidecar(name, image), {
      ...bySwap,
      heard: [],
    }),
  ),
  actsAsItsSource(
    'statsd-exporter',
    'is called if its endpoint is on',
    sidecar('statsd-exporter', 'docker.io/prom/statsd-exporter:v0.28.0', {
      args: ['--web.enable-lifecycle'],
    }),
    { methods: ['Http'], heard: ['asked POST 9102 /-/quit'] },
  ),
  actsAsItsSource(
    'alloydb-auth-proxy',
    'exits 0 on TERM with its own flag, which is not named like that of cloud-sql-proxy',
    sidecar('alloydb-auth-proxy', 'gcr.io/alloydb-connectors/alloydb-auth-proxy:1.13.0-bookworm', {
      args: ['--exit-zero-sigterm', 'projects/p/locations/l/clusters/c/instances/i'],
    }),
  ),
  ...(
    [
      ['vector', 'vector', 'docker.io/timberio/vector:0.50.0-debian'],
      ['docker-in-docker', 'dind', 'docker.io/library/docker:28-dind'],
      ['tailscale', 'ts-sidecar', 'ghcr.io/tailscale/tailscale:v1.90'],
      ['oauth2-proxy', 'oauth2-proxy', 'quay.io/oauth2-proxy/oauth2-proxy:v7.12.0-alpine'],
    ] as const
  ).map(([profile, name, image]) => actsAsItsSource(profile, 'ends with 0 on TERM', sidecar(name, image))),
];
