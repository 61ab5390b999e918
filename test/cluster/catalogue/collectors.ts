import { type CatalogueCase, clean, endsBySwap, endsOnRequest, endsOnSignal, sidecar } from './cases.ts';

const statsd = 'docker.io/prom/statsd-exporter:v0.28.0';
const gitSync = 'registry.k8s.io/git-sync/git-sync:v4.4.0';
const gcsfuse = 'gcs-fuse-csi-driver-sidecar-mounter:v1.20.0';

/** Collectors of logs, metrics and files, other daemons, and wrappers. */
export const collectors: readonly CatalogueCase[] = [
  endsBySwap({
    profile: 'opentelemetry-collector',
    name: 'collector',
    title: 'has neither an endpoint nor a shell: the swap ends it',
    sidecar: sidecar('otc-container', 'docker.io/otel/opentelemetry-collector-contrib:0.140.0'),
  }),
  endsBySwap({
    profile: 'opentelemetry-collector',
    name: 'adot',
    title: "Amazon's has neither, too: the swap ends it",
    sidecar: sidecar('adot-collector', 'public.ecr.aws/aws-observability/aws-otel-collector:v0.45.0'),
  }),
  endsOnSignal('TERM', {
    profile: 'fluent-bit',
    name: 'debug',
    title: 'in the image with a shell, TERM ends it after a flush',
    sidecar: sidecar('fluent-bit', 'docker.io/fluent/fluent-bit:4.1-debug'),
  }),
  endsBySwap({
    profile: 'fluent-bit',
    name: 'no-shell',
    title: 'in the image without a shell, the swap ends it',
    sidecar: sidecar('fluent-bit', 'docker.io/fluent/fluent-bit:4.1'),
  }),
  endsOnSignal('TERM', {
    profile: 'datadog-agent',
    name: 'term',
    title: 'ends on TERM',
    sidecar: sidecar('datadog-agent-injected', 'gcr.io/datadoghq/agent:7'),
  }),
  {
    profile: 'gcsfuse',
    name: 'file',
    title: 'ends after the file `exit` appears in its volume',
    sidecar: sidecar('gke-gcsfuse-sidecar', `gke.gcr.io/debug/${gcsfuse}`),
    methods: ['Tombstone'],
    outcome: clean,
    heard: ['found exit'],
  },
  {
    profile: 'gcsfuse',
    name: 'no-shell',
    title: 'without a shell, the file cannot be written: the swap ends it',
    sidecar: sidecar('gke-gcsfuse-sidecar', `gke.gcr.io/${gcsfuse}`),
    methods: ['Tombstone', 'Signal', 'Signal', 'ImageSwap'],
    outcome: clean,
  },
  endsOnSignal('TERM', {
    profile: 'vector',
    name: 'term',
    title: 'delivers what it holds on TERM',
    sidecar: sidecar('vector', 'docker.io/timberio/vector:0.50.0-debian'),
  }),
  endsOnRequest('POST 9102 /-/quit', {
    profile: 'statsd-exporter',
    name: 'quit',
    title: 'is called if a flag enables the endpoint',
    sidecar: sidecar('statsd-exporter', statsd, { args: ['--web.enable-lifecycle'] }),
  }),
  endsOnSignal('TERM', {
    profile: 'statsd-exporter',
    name: 'term',
    title: 'without the flag, gets TERM',
    sidecar: sidecar('statsd-exporter', statsd),
    unfit: [{ method: 'Http', reason: 'NotShown' }],
  }),
  endsOnSignal('TERM', {
    profile: 'aws-xray-daemon',
    name: 'term',
    title: 'sends its segments on TERM',
    sidecar: sidecar('xray-daemon', 'public.ecr.aws/xray/aws-xray-daemon:3.3.15'),
  }),
  endsBySwap({
    sweep: 'forbidding',
    profile: 'git-sync',
    name: 'swap',
    title: 'would exit 143 on TERM, which is held back: the swap ends it',
    sidecar: sidecar('git-sync', gitSync),
  }),
  {
    profile: 'git-sync',
    name: 'unclean',
    title: 'exits 143 on TERM if unclean exits are allowed',
    sweep: 'unclean',
    sidecar: sidecar('git-sync', gitSync),
    methods: ['Signal'],
    outcome: { kind: 'Stopped', exitCode: 143 },
    heard: ['signal TERM'],
  },
  endsOnSignal('TERM', {
    profile: 'docker-in-docker',
    name: 'term',
    title: 'stops its containers on TERM, then ends',
    sidecar: sidecar('dind', 'docker.io/library/docker:28-dind'),
  }),
  endsOnSignal('INT', {
    profile: 'pgbouncer',
    name: 'int',
    title: 'exits 0 on INT, unlike on TERM',
    sidecar: sidecar('pgbouncer', 'docker.io/edoburu/pgbouncer:v1.22.1'),
  }),
  endsOnSignal('QUIT', {
    profile: 'nginx',
    name: 'quit',
    title: 'finishes open requests on QUIT',
    sidecar: sidecar('nginx-proxy', 'docker.io/library/nginx:1.29'),
  }),
  endsOnSignal('USR1', {
    profile: 'haproxy',
    name: 'usr1',
    title: 'finishes open requests on USR1',
    sidecar: sidecar('haproxy', 'docker.io/library/haproxy:3.2'),
  }),
  endsOnSignal('TERM', {
    profile: 'stunnel',
    name: 'term',
    title: 'exits 0 on TERM',
    sidecar: sidecar('stunnel', 'docker.io/dweomer/stunnel:latest'),
  }),
  {
    profile: 'kubexit',
    name: 'graveyard',
    title: 'ends its command when its death dependencies have tombstones',
    sidecar: sidecar('wrapped', 'docker.io/acme/wrapped-by-kubexit:1', {
      env: { KUBEXIT_NAME: 'wrapped', KUBEXIT_DEATH_DEPS: 'main' },
    }),
    methods: ['Tombstone'],
    outcome: clean,
    heard: ['died main', 'signal TERM'],
  },
  {
    profile: 'kubexit',
    name: 'elsewhere',
    title: 'may have another graveyard and one of several death dependencies',
    sidecar: sidecar('wrapped', 'docker.io/acme/wrapped-by-kubexit:1', {
      env: { KUBEXIT_DEATH_DEPS: 'main,other', KUBEXIT_GRAVEYARD: '/yard' },
    }),
    methods: ['Tombstone'],
    outcome: clean,
    heard: ['died main', 'signal TERM'],
  },
];
