import { type Profile, type ProfileInput, writtenSteps } from './profile.ts';

const kubexitTombstone = 'Born: 2020-01-01T00:00:00Z\nDied: 2020-01-01T00:00:01Z\nExitCode: 0\n';

/**
 * Sidecars that are known without configuration, and how to end each. Name and image must both match, because
 * a main container may also be called `vault-agent`. The gentlest step comes first. An exit code is given
 * only if the source code or the documentation of the sidecar states it. Policy files use the same format, without
 * the cures and what is known of databases.
 */
const entries: readonly (ProfileInput & Pick<Profile, 'cure' | 'database'>)[] = [
  {
    name: 'istio',
    mesh: true,
    containers: ['istio-proxy'],
    images: ['proxyv2', 'istio/proxyv2', 'proxyv2-rhel*', 'istio-proxyv2-rhel*'],
    steps: [
      {
        http: {
          port: { annotation: 'status.sidecar.istio.io/port', default: 15_020 },
          path: '/quitquitquit',
        },
        exitCode: 0,
        grace: '15s',
      },
      { http: { port: 15_000, path: '/quitquitquit' }, exitCode: 0, grace: '15s' },
      { command: ['pilot-agent', 'request', 'POST', 'quitquitquit'], exitCode: 0, grace: '15s' },
      { signal: ['TERM'], exitCode: 0 },
      { command: ['pkill', '-f', '/usr/local/bin/pilot-agent'] },
    ],
    notes:
      'The agent accepts /quitquitquit since 1.3, from localhost only. Before 1.26, it drains for terminationDrainDuration (5 s); ' +
      'since 1.26, it exits at once. Before 1.3, the agent keeps running when Envoy ends: scuttle then uses pkill, in a shared ' +
      'process namespace. Wrappers that do the same from the main container: scuttle, valet.',
    source: 'istio/istio#15123, #15406, #55424; scuttle',
    cure: {
      injectedIf: [{ annotation: 'sidecar.istio.io/status' }],
      switches: [
        {
          since: ['1.24'],
          annotation: { key: 'sidecar.istio.io/nativeSidecar', value: 'true' },
          changes:
            'istiod makes istio-proxy a native sidecar in these pods, whatever ENABLE_NATIVE_SIDECARS says; the release notes ' +
            'print the key without its last three letters, which istiod does not read',
          native: true,
          source: 'Istio 1.24.0, release notes and pkg/kube/inject',
        },
        {
          since: ['1.27'],
          does:
            'have every node run a kubelet of 1.33 or later: by default (ENABLE_NATIVE_SIDECARS=auto), istiod then makes every ' +
            'istio-proxy a native sidecar; the compatibility profiles 1.25 and 1.26 switch that off',
          changes: 'all pods that are injected from then on, in the whole mesh',
          native: true,
          kubelets: '1.33',
          source: 'Istio 1.27.0, DetectNativeSidecar',
        },
        {
          since: ['1.19'],
          until: ['1.27'],
          does: "set ENABLE_NATIVE_SIDECARS=true in istiod's environment",
          changes: 'all pods that are injected from then on, in the whole mesh',
          native: true,
          source: 'Istio 1.19.0, release notes',
        },
        {
          until: ['1.19'],
          does:
            'upgrade Istio to 1.24 or later; until then, let the main container call POST localhost:15020/quitquitquit when its work ' +
            'is done, as scuttle does',
          changes: 'the agent ends with 0 when it is called; it accepts that since 1.3',
          source: 'istio/istio#15123',
        },
      ],
    },
  },
  {
    name: 'linkerd',
    mesh: true,
    containers: ['linkerd-proxy'],
    images: ['linkerd/proxy', 'buoyantio/proxy'],
    steps: [
      {
        http: { port: { annotation: 'config.linkerd.io/admin-port', default: 4191 }, path: '/shutdown' },
        exitCode: 0,
        grace: '2m',
        unless: [{ env: 'LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED', value: 'false' }],
      },
      {
        command: ['/usr/lib/linkerd/linkerd-await', '--shutdown', '--', '/bin/sleep', '0'],
        exitCode: 0,
        grace: '2m',
        unless: [{ env: 'LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED', value: 'false' }],
      },
      { signal: ['TERM'], exitCode: 0, grace: '2m' },
    ],
    notes:
      'Since 2.16, the endpoint is off by default and answers 404; the annotation config.linkerd.io/proxy-admin-shutdown: enabled ' +
      'or the Helm value proxy.enableShutdownEndpoint turns it on. The proxy drains for up to two minutes. The image has no shell. ' +
      'Wrapper that does the same from the main container: linkerd-await.',
    source: 'linkerd/linkerd2#12705, linkerd2-proxy#811, #1815, #3014',
    cure: {
      injectedIf: [{ annotation: 'linkerd.io/proxy-version' }, { annotation: 'linkerd.io/created-by' }],
      switches: [
        {
          since: ['2.20', 'edge-26.5.2'],
          annotation: { key: 'config.linkerd.io/proxy-enable-native-sidecar', value: 'true' },
          changes: 'linkerd-proxy is a native sidecar in these pods, as it is by default since 2.20',
          native: true,
          source: 'Linkerd edge-26.5.2 and 2.20, release notes',
        },
        {
          since: ['2.19', 'edge-25.10.2'],
          until: ['2.20', 'edge-26.5.2'],
          annotation: { key: 'config.beta.linkerd.io/proxy-enable-native-sidecar', value: 'true' },
          changes:
            'linkerd-proxy is a native sidecar in these pods; the Helm value proxy.nativeSidecar does so in all',
          native: true,
          source: 'Linkerd edge-25.10.2 and 2.19, release notes',
        },
        {
          since: ['2.15', 'edge-23.11.4'],
          until: ['2.19', 'edge-25.10.2'],
          annotation: { key: 'config.alpha.linkerd.io/proxy-enable-native-sidecar', value: 'true' },
          changes:
            'linkerd-proxy is a native sidecar in these pods; the Helm value proxy.nativeSidecar does so in all',
          native: true,
          source: 'Linkerd edge-23.11.4 and 2.15, release notes; linkerd/linkerd2#13205',
        },
        {
          until: ['2.15', 'edge-23.11.4'],
          does:
            'upgrade Linkerd to 2.15 or later; until then, start the main container by `linkerd-await --shutdown --`, which calls ' +
            'POST localhost:4191/shutdown when its work is done',
          changes: 'the proxy drains for up to two minutes, then ends with 0',
          source: 'linkerd/linkerd2-proxy#811, #1815',
        },
      ],
    },
  },
  {
    name: 'cloud-sql-proxy',
    containers: ['cloud-sql-proxy', 'cloudsql-proxy', 'csql-*'],
    images: ['cloud-sql-proxy', 'cloud-sql-connectors/cloud-sql-proxy'],
    database: { endsIf: [{ argument: '--quitquitquit' }, { env: 'CSQL_PROXY_QUITQUITQUIT' }] },
    steps: [
      {
        http: {
          port: { argument: '--admin-port', env: 'CSQL_PROXY_ADMIN_PORT', default: 9091 },
          path: '/quitquitquit',
        },
        exitCode: 0,
        when: [{ argument: '--quitquitquit' }, { env: 'CSQL_PROXY_QUITQUITQUIT' }],
      },
      {
        command: ['/cloud-sql-proxy', 'shutdown'],
        exitCode: 0,
        when: [{ argument: '--quitquitquit' }, { env: 'CSQL_PROXY_QUITQUITQUIT' }],
      },
      {
        signal: ['TERM'],
        exitCode: 0,
        when: [{ argument: '--exit-zero-on-sigterm' }, { env: 'CSQL_PROXY_EXIT_ZERO_ON_SIGTERM' }],
      },
      {
        signal: ['TERM'],
        exitCode: 143,
        unless: [{ argument: '--exit-zero-on-sigterm' }, { env: 'CSQL_PROXY_EXIT_ZERO_ON_SIGTERM' }],
      },
    ],
    notes:
      '/quitquitquit exists since 2.1.0 (with GET since 2.7.0) and is off by default; the command `shutdown` exists since 2.20.0. ' +
      'On TERM, version 2 exits with 143 unless --exit-zero-on-sigterm is set (since 2.6.0). The containers of ' +
      'cloud-sql-proxy-operator are named csql-<namespace>-<name>, with both switched on, each on a port of its own from 9091 up; ' +
      'since 1.3.0, CSQL_PROXY_QUIT_URLS in every container of the pod lists their endpoints.',
    source:
      'GoogleCloudPlatform/cloud-sql-proxy releases, #2372; cloud-sql-proxy-operator#425, #454, internal/workload/podspec_updates.go',
    cure: {
      injectedIf: [{ env: 'CSQL_PROXY_QUIT_URLS' }],
      switches: [
        {
          when: [{ env: 'CSQL_PROXY_QUIT_URLS' }],
          does:
            'upgrade cloud-sql-proxy-operator to 1.6.0 or later; where the API server was upgraded later, restart it, because it ' +
            'looks at its version only when it starts, and never at the nodes',
          changes: 'the csql- containers of all pods that are made from then on are native sidecars',
          native: true,
          source: 'GoogleCloudPlatform/cloud-sql-proxy-operator 1.6.0, release notes',
        },
        {
          when: [{ env: 'CSQL_PROXY_QUIT_URLS' }],
          does: 'let the main container POST to each URL in $CSQL_PROXY_QUIT_URLS when its work is done',
          changes: 'each proxy ends with 0 when it is called',
          source: 'GoogleCloudPlatform/cloud-sql-proxy-operator#425, #454',
        },
        {
          since: ['2.1.0'],
          unless: [{ argument: '--quitquitquit' }, { env: 'CSQL_PROXY_QUITQUITQUIT' }],
          does:
            'start the proxy with --quitquitquit, and let the main container POST to localhost:9091/quitquitquit when its work is ' +
            'done',
          changes: 'the proxy ends with 0 when it is called',
          source: 'GoogleCloudPlatform/cloud-sql-proxy 2.1.0, release notes',
        },
        {
          since: ['2.6.0'],
          unless: [{ argument: '--exit-zero-on-sigterm' }, { env: 'CSQL_PROXY_EXIT_ZERO_ON_SIGTERM' }],
          does: 'start the proxy with --exit-zero-on-sigterm',
          changes:
            'it ends with 0 on TERM instead of 143, so that a sweep makes no finished work run again; it still waits for the sweep',
          source: 'GoogleCloudPlatform/cloud-sql-proxy 2.6.0, release notes; #2372 is still open',
        },
        {
          until: ['2.1.0'],
          does: 'upgrade the proxy to 2.6.0 or later, which has --quitquitquit and --exit-zero-on-sigterm',
          changes: 'it can then be asked to end, and ends with 0',
          source: 'GoogleCloudPlatform/cloud-sql-proxy 2.1.0 and 2.6.0, release notes',
        },
      ],
    },
  },
  {
    name: 'cloud-sql-proxy-v1',
    containers: ['cloud-sql-proxy', 'cloudsql-proxy'],
    images: ['gce-proxy', 'cloudsql-docker/gce-proxy'],
    database: { endsIf: [] },
    steps: [{ signal: ['TERM'] }],
    notes:
      'It has no endpoint. On TERM, it exits with 2 if connections are still open after -term_timeout (0 by default), otherwise with 0.',
    source: 'GoogleCloudPlatform/cloudsql-proxy#388, #128',
    cure: {
      injectedIf: [],
      switches: [
        {
          does: 'replace it with version 2.6.0 or later of cloud-sql-proxy, which has --quitquitquit and --exit-zero-on-sigterm',
          changes: 'it can then be asked to end, and ends with 0; version 1 has neither',
          source: 'GoogleCloudPlatform/cloud-sql-proxy 2.1.0 and 2.6.0, release notes',
        },
      ],
    },
  },
  {
    name: 'alloydb-auth-proxy',
    containers: ['alloydb-auth-proxy', 'alloydb-proxy'],
    images: ['alloydb-auth-proxy', 'alloydb-connectors/alloydb-auth-proxy'],
    database: { endsIf: [{ argument: '--quitquitquit' }, { env: 'ALLOYDB_PROXY_QUITQUITQUIT' }] },
    steps: [
      {
        http: {
          port: { argument: '--admin-port', env: 'ALLOYDB_PROXY_ADMIN_PORT', default: 9091 },
          path: '/quitquitquit',
        },
        exitCode: 0,
        when: [{ argument: '--quitquitquit' }, { env: 'ALLOYDB_PROXY_QUITQUITQUIT' }],
      },
      {
        signal: ['TERM'],
        exitCode: 0,
        when: [{ argument: '--exit-zero-on-sigterm' }, { env: 'ALLOYDB_PROXY_EXIT_ZERO_ON_SIGTERM' }],
      },
      {
        signal: ['TERM'],
        exitCode: 143,
        unless: [{ argument: '--exit-zero-on-sigterm' }, { env: 'ALLOYDB_PROXY_EXIT_ZERO_ON_SIGTERM' }],
      },
    ],
    notes: 'It behaves like version 2 of cloud-sql-proxy.',
    source: 'GoogleCloudPlatform/alloydb-auth-proxy#683',
    cure: {
      injectedIf: [],
      switches: [
        {
          unless: [{ argument: '--exit-zero-on-sigterm' }, { env: 'ALLOYDB_PROXY_EXIT_ZERO_ON_SIGTERM' }],
          does: 'start the proxy with --exit-zero-on-sigterm',
          changes:
            'it ends with 0 on TERM instead of 143, so that a sweep makes no finished work run again; it still waits for the sweep',
          source: 'GoogleCloudPlatform/alloydb-auth-proxy#683',
        },
      ],
    },
  },
  {
    name: 'vault-agent',
    containers: ['vault-agent'],
    images: [
      'vault',
      'vault-enterprise',
      'hashicorp/vault',
      'hashicorp/vault-enterprise',
      'openbao/openbao',
      'openbao/openbao-ubi',
    ],
    steps: [
      {
        http: {
          port: { annotation: 'vault.hashicorp.com/agent-cache-listener-port', default: 8200 },
          path: '/agent/v1/quit',
        },
        exitCode: 0,
        when: [{ annotation: 'vault.hashicorp.com/agent-enable-quit', value: 'true' }],
      },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes:
      'The endpoint exists since 1.11 if enable_quit is set. A second request makes the agent panic, so only one is sent. ' +
      'The injector starts the agent with `sh -ec`, so PID 1 may be a shell. ' +
      "OpenBao's Helm chart injects with vault-k8s, too, and with its own image, in which `vault` is a link to `bao`.",
    source:
      'hashicorp/vault#14223, vault-k8s 0.16.0; openbao/openbao-helm 0.29.2, values.yaml; openbao/openbao, Dockerfile',
    cure: {
      injectedIf: [{ annotation: 'vault.hashicorp.com/agent-inject-status' }],
      switches: [
        {
          annotation: { key: 'vault.hashicorp.com/agent-pre-populate-only', value: 'true' },
          changes:
            'the injector adds only its init container: the secrets are there before the main container starts, and are not renewed. ' +
            'vault-k8s 1.7.6 has no native sidecars (#620, #659)',
          source: 'hashicorp/vault-k8s#120',
        },
        {
          since: ['1.11'],
          unless: [{ annotation: 'vault.hashicorp.com/agent-enable-quit', value: 'true' }],
          annotation: { key: 'vault.hashicorp.com/agent-enable-quit', value: 'true' },
          does: 'if the secrets must be renewed, let the main container POST to 127.0.0.1:8200/agent/v1/quit when its work is done',
          changes: 'the agent ends with 0 when it is called, by the main container or by a sweep',
          source: 'hashicorp/vault#14223, vault-k8s 0.16.0',
        },
      ],
    },
  },
  {
    name: 'openbao-agent',
    containers: ['openbao-agent'],
    images: ['openbao/openbao', 'openbao/openbao-ubi'],
    steps: [
      {
        http: {
          port: { annotation: 'openbao.org/agent-cache-listener-port', default: 8200 },
          path: '/agent/v1/quit',
        },
        exitCode: 0,
        when: [{ annotation: 'openbao.org/agent-enable-quit', value: 'true' }],
      },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes:
      "The injector openbao-k8s is a fork of vault-k8s, and turns that one's annotations into its own. OpenBao is a fork of Vault 1.14, " +
      'so a second request makes its agent panic, too: only one is sent. `sh -ec` starts the agent, so PID 1 may be a shell.',
    source:
      'openbao/openbao, command/agent.go; openbao/openbao-k8s#14, #21, agent-inject/agent/container_sidecar.go',
    cure: {
      injectedIf: [{ annotation: 'openbao.org/agent-inject-status' }],
      switches: [
        {
          annotation: { key: 'openbao.org/agent-pre-populate-only', value: 'true' },
          changes:
            'the injector adds only its init container: the secrets are there before the main container starts, and are not renewed. ' +
            'openbao-k8s has no native sidecars',
          source: 'openbao/openbao-k8s, agent-inject/agent/annotations.go',
        },
        {
          unless: [{ annotation: 'openbao.org/agent-enable-quit', value: 'true' }],
          annotation: { key: 'openbao.org/agent-enable-quit', value: 'true' },
          does: 'if the secrets must be renewed, let the main container POST to 127.0.0.1:8200/agent/v1/quit when its work is done',
          changes: 'the agent ends with 0 when it is called, by the main container or by a sweep',
          source: 'openbao/openbao-k8s, agent-inject/agent/config.go',
        },
      ],
    },
  },
  {
    name: 'consul-dataplane',
    mesh: true,
    containers: ['consul-dataplane', 'consul-dataplane-*'],
    images: ['consul-dataplane', 'hashicorp/consul-dataplane'],
    steps: [
      {
        http: {
          port: {
            annotation: 'consul.hashicorp.com/sidecar-proxy-lifecycle-graceful-port',
            argument: '-graceful-port',
            default: 20_600,
          },
          path: '/graceful_shutdown',
        },
        exitCode: 0,
      },
      { http: { port: 20_300, path: '/graceful_shutdown' }, exitCode: 0 },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes:
      'consul-k8s sets port 20600; without it, consul-dataplane listens on 20300. It answers at once and exits after ' +
      'shutdown-grace-period-seconds. dumb-init is PID 1; the image has no shell.',
    source: 'hashicorp/consul-dataplane#100, #175',
    cure: {
      injectedIf: [{ annotation: 'consul.hashicorp.com/connect-inject-status' }],
      switches: [
        {
          does: 'let the main container call 127.0.0.1:20600/graceful_shutdown when its work is done',
          changes:
            'consul-dataplane ends with 0 after shutdown-grace-period-seconds. consul-k8s makes no native sidecars (#3919, #4678)',
          source: 'hashicorp/consul-dataplane#100, #175; consul-k8s#3919',
        },
      ],
    },
  },
  {
    name: 'dapr',
    containers: ['daprd'],
    images: ['daprio/daprd', 'dapr/daprd', 'daprd'],
    steps: [
      {
        http: { port: { argument: '--dapr-http-port', default: 3500 }, path: '/v1.0/shutdown' },
        grace: '10s',
        unless: [{ env: 'DAPR_API_TOKEN' }],
      },
      { signal: ['TERM'] },
    ],
    notes:
      'It answers 204 and drains for dapr.io/graceful-shutdown-seconds (5). With an API token, the request would need that secret. ' +
      'Its exit code is not documented.',
    source: 'dapr/dapr#2828',
    cure: {
      injectedIf: [{ annotation: 'dapr.io/enabled' }],
      switches: [
        {
          annotation: { key: 'dapr.io/enable-native-sidecar', value: 'true' },
          changes:
            'daprd is a native sidecar in these pods, if the injector knows the annotation: its documentation was taken back in April ' +
            '2026, so see whether your release has it',
          native: true,
          source: 'dapr/dapr#9422, pkg/injector; dapr/docs#5041, #5147',
        },
        {
          does: 'let the main container POST to localhost:3500/v1.0/shutdown when its work is done',
          changes: 'daprd drains for dapr.io/graceful-shutdown-seconds (5), then ends',
          source: 'dapr/dapr#2828',
        },
      ],
    },
  },
  {
    name: 'kuma',
    mesh: true,
    containers: ['kuma-sidecar'],
    images: ['kuma-dp', 'kumahq/kuma-dp', 'kong/kuma-dp'],
    steps: [{ signal: ['TERM'] }, { command: ['/busybox/sh', '-c', 'kill -%d 1'] }],
    notes:
      "Kuma's own control plane ends it through Envoy's admin port, which requires a client certificate. Its shell is /busybox/sh.",
    source: 'kumahq/kuma#1497',
    cure: {
      injectedIf: [{ annotation: 'kuma.io/sidecar-injected', value: 'true' }],
      switches: [
        {
          since: ['2.7'],
          does:
            "set KUMA_EXPERIMENTAL_SIDECAR_CONTAINERS=true in the control plane's environment (experimental.sidecarContainers of its " +
            'Helm chart), where it is not the default yet, and restart it: it looks at the version of the API server only when it ' +
            'starts, and never at the nodes',
          changes: 'kuma-sidecar is a native sidecar in all pods that are injected from then on',
          native: true,
          source: 'Kuma documentation, Data plane on Kubernetes (2.7); kumahq/kuma#9321, #16502',
        },
        {
          until: ['2.7'],
          does: 'upgrade Kuma to 2.7 or later, which can make kuma-sidecar a native sidecar',
          changes: 'nothing until then: each pod waits for a sweep',
          source: 'Kuma documentation, Data plane on Kubernetes (2.7); kumahq/kuma#9321',
        },
      ],
    },
  },
  {
    name: 'envoy',
    mesh: true,
    containers: ['envoy', 'envoy-proxy', 'envoy-sidecar'],
    images: ['envoyproxy/envoy', 'envoyproxy/envoy-distroless', 'envoyproxy/envoy-alpine'],
    steps: [
      { http: { port: { env: 'ENVOY_ADMIN_PORT', default: 9901 }, path: '/quitquitquit' }, exitCode: 0 },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes: 'envoy-preflight does the same from the main container. Envoy may exit before it answers.',
    source: 'envoyproxy/envoy admin interface; monzo/envoy-preflight',
    cure: {
      injectedIf: [],
      switches: [
        {
          does:
            'let the main container POST to /quitquitquit of its admin port (localhost:9901) when its work is done, as envoy-preflight ' +
            'does',
          changes: 'Envoy ends with 0 when it is called',
          source: 'envoyproxy/envoy admin interface; monzo/envoy-preflight',
        },
      ],
    },
  },
  {
    name: 'opentelemetry-collector',
    containers: [
      'otc-container',
      'otel-collector',
      'otel-agent',
      'opentelemetry-collector',
      'aws-otel-collector',
      'adot-collector',
    ],
    images: [
      'opentelemetry-collector',
      'opentelemetry-collector-contrib',
      'opentelemetry-collector-k8s',
      'otel/opentelemetry-collector',
      'otel/opentelemetry-collector-contrib',
      'otel/opentelemetry-collector-k8s',
      'aws-otel-collector',
      'aws-observability/aws-otel-collector',
    ],
    steps: [{ signal: ['TERM'], exitCode: 0 }],
    notes: 'It has no endpoint, and the image has no shell, so only --last-resort ends it.',
    source: 'open-telemetry/opentelemetry-collector, otelcol/collector.go',
    cure: {
      injectedIf: [{ annotation: 'sidecar.opentelemetry.io/inject' }],
      switches: [
        {
          when: [{ annotation: 'sidecar.opentelemetry.io/inject' }],
          does:
            'start the operator with the feature gate operator.sidecarcontainers.native, or upgrade it to 0.136.0 or later, where the ' +
            'gate is on by default',
          changes: 'the collectors of all pods that are injected from then on are native sidecars',
          native: true,
          source: 'open-telemetry/opentelemetry-operator 0.136.0, release notes',
        },
      ],
    },
  },
  {
    name: 'fluent-bit',
    containers: ['fluent-bit', 'fluentbit', 'log_router', 'log-router'],
    images: ['fluent-bit', 'fluent/fluent-bit', 'aws-for-fluent-bit', 'aws-observability/aws-for-fluent-bit'],
    steps: [{ signal: ['TERM'], exitCode: 0, grace: '10s' }],
    notes:
      'It flushes for up to `grace` (5 s). Only the -debug tags of the image have a shell; the image of AWS has one.',
    source: 'fluent/fluent-bit#2411',
  },
  {
    name: 'datadog-agent',
    containers: ['datadog-agent', 'datadog-agent-injected'],
    images: ['datadog/agent', 'datadoghq/agent'],
    steps: [{ signal: ['TERM'] }],
    notes:
      's6 is PID 1. In a shared process namespace, DD_AUTO_EXIT_NOPROCESS_ENABLED=true makes it exit by itself.',
    source: 'DataDog/datadog-agent#8741',
    cure: {
      injectedIf: [],
      switches: [
        {
          unless: [{ env: 'DD_AUTO_EXIT_NOPROCESS_ENABLED', value: 'true' }],
          does: 'set DD_AUTO_EXIT_NOPROCESS_ENABLED=true for the agent, and shareProcessNamespace: true for the pod',
          changes: 'the agent ends by itself about a minute after the other processes of the pod',
          source: 'DataDog/datadog-agent#8741',
        },
      ],
    },
  },
  {
    name: 'app-mesh',
    mesh: true,
    containers: ['envoy'],
    images: ['aws-appmesh-envoy'],
    steps: [
      { signal: ['TERM'], grace: '40s' },
      { http: { port: { env: 'ENVOY_ADMIN_ACCESS_PORT', default: 9901 }, path: '/quitquitquit' } },
    ],
    notes: 'It drains for LISTENER_DRAIN_WAIT_TIME_S (20). The agent may restart Envoy, so TERM comes first.',
    source: 'aws/aws-app-mesh-agent (the service ended in September 2026)',
    cure: {
      injectedIf: [],
      switches: [
        {
          annotation: { key: 'appmesh.k8s.aws/sidecarInjectorWebhook', value: 'disabled' },
          changes:
            'the controller adds no Envoy to these pods, which are then outside the mesh; AWS ended App Mesh on September 30, 2026',
          source: 'AWS App Mesh user guide; aws/aws-app-mesh-controller-for-k8s, sidecar injection',
        },
      ],
    },
  },
  {
    name: 'gcsfuse',
    containers: ['gke-gcsfuse-sidecar'],
    images: ['gcs-fuse-csi-driver-sidecar-mounter'],
    steps: [
      { tombstone: { path: '/gcsfuse-tmp/.volumes/exit' }, exitCode: 0, grace: '15s' },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes:
      'It looks for the file every 5 s. The CSI driver writes the file itself once all other containers have ended. The image has no shell.',
    source: 'GoogleCloudPlatform/gcs-fuse-csi-driver, pkg/csi_driver/utils.go',
    cure: {
      injectedIf: [{ annotation: 'gke-gcsfuse/volumes' }],
      switches: [
        {
          does: 'have every node of the cluster run a kubelet of 1.29 or later',
          changes:
            'the webhook then makes the sidecar of every pod a native one; with one older node, of none',
          native: true,
          kubelets: '1.29',
          source: 'GoogleCloudPlatform/gcs-fuse-csi-driver#38, #322',
        },
      ],
    },
  },
  {
    name: 'pgbouncer',
    containers: ['pgbouncer'],
    images: ['pgbouncer'],
    database: { endsIf: [] },
    steps: [{ signal: ['INT'], exitCode: 0 }, { signal: ['TERM'] }],
    notes:
      'On INT, it lets running queries finish. On TERM, it exits with 1 at once before 1.23; since 1.23, it waits for all clients to ' +
      'disconnect, and a second TERM ends it at once.',
    source: 'pgbouncer/pgbouncer#902; tried with 1.18',
  },
  {
    name: 'nginx',
    containers: ['nginx-proxy', 'nginx-sidecar'],
    images: ['nginx', 'nginx-unprivileged'],
    steps: [
      { signal: ['QUIT'], exitCode: 0 },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes:
      'QUIT lets it finish open requests, TERM does not. A container named nginx is often the main, ' +
      'so it needs an annotation or a rule to count as a sidecar.',
    source: 'nginx documentation, Controlling nginx; tried with 1.22',
  },
  {
    name: 'haproxy',
    containers: ['haproxy', 'haproxy-sidecar'],
    images: ['haproxy', 'haproxy-alpine', 'haproxytech/haproxy-*'],
    steps: [{ signal: ['USR1'], exitCode: 0 }, { signal: ['TERM'] }],
    notes:
      'USR1 lets it finish open connections. Without -W, it has no handler for TERM, so TERM has no effect on it as PID 1; with -W, TERM ends it at once.',
    source: 'haproxy management guide, Stopping and restarting HAProxy; tried with 2.6',
  },
  {
    name: 'stunnel',
    containers: ['stunnel', 'stunnel-*'],
    images: ['stunnel'],
    steps: [{ signal: ['TERM'], exitCode: 0 }],
    notes: 'It must run with `foreground = yes`, as it does in containers.',
    source: 'stunnel(8), SIGNALS; tried with 5.68',
  },
  {
    name: 'vks',
    containers: ['vks-sidecar'],
    images: ['vks-sidecar'],
    steps: [{ signal: ['INT'] }],
    source: 'nais/hahaha',
  },
  {
    name: 'kubexit',
    containers: ['*'],
    images: ['*'],
    shows: [{ env: 'KUBEXIT_DEATH_DEPS' }],
    steps: [
      {
        tombstone: { path: '$(KUBEXIT_GRAVEYARD)/$(KUBEXIT_DEATH_DEPS)', content: kubexitTombstone },
        when: [{ env: 'KUBEXIT_GRAVEYARD' }],
      },
      {
        tombstone: { path: '/graveyard/$(KUBEXIT_DEATH_DEPS)', content: kubexitTombstone },
        unless: [{ env: 'KUBEXIT_GRAVEYARD' }],
      },
    ],
    notes:
      'kubexit ends the process that it wraps when the tombstones of its KUBEXIT_DEATH_DEPS contain Died; a main that is not wrapped ' +
      'leaves no tombstone. It sends TERM, then KILL after KUBEXIT_GRACE_PERIOD, and passes on the exit code.',
    source: 'karlkfi/kubexit',
    cure: {
      injectedIf: [],
      switches: [
        {
          does: 'start the main container by kubexit as well, with KUBEXIT_NAME and the same KUBEXIT_GRAVEYARD',
          changes: 'it then leaves a tombstone when it ends, for which this container waits',
          source: 'karlkfi/kubexit',
        },
      ],
    },
  },
];

export const catalogue: readonly Profile[] = entries.map(readWhenWanted);

/** Few of the entries are met in a run, and to read the steps of all takes longer than to judge a hundred pods. */
function readWhenWanted({ steps, ...entry }: (typeof entries)[number]): Profile {
  let read: Profile['steps'] | undefined;
  return {
    ...entry,
    get steps() {
      read ??= writtenSteps.parse(steps);
      return read;
    },
  };
}
