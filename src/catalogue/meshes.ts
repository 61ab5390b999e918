import type { Entry, Switch } from '../policy/profile.ts';

export const istio: Entry = {
  name: 'istio',
  mesh: true,
  containers: ['istio-proxy'],
  images: [
    'proxyv2',
    'istio/proxyv2',
    'proxyv2-rhel*',
    'istio-proxyv2-rhel*',
    'chainguard/istio-proxy',
    'istio-proxy-fips',
  ],
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
  ],
  notes:
    'The agent accepts /quitquitquit since 1.3, from localhost only. Before 1.26, it drains for terminationDrainDuration (5 s); ' +
    'since 1.26, it exits at once. Wrappers ' +
    'that do the same from the main container: scuttle, valet.',
  source: 'istio/istio#15123, #15406, #55424; scuttle; defenseunicorns/uds-core#2650 (images of Chainguard)',
  native: {
    kind: 'Switch',
    since: '1.19',
    by: 'ENABLE_NATIVE_SIDECARS=true in istiod (auto since 1.27), or since 1.24 the annotation sidecar.istio.io/nativeSidecar; on AKS, since asm-1-29 on AKS 1.33',
    source: 'Istio 1.19.0, 1.24.0 and 1.27.0, release notes; AKS documentation, Istio native sidecars',
  },
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
          'istio-proxy a native sidecar; the compatibility profiles 1.24 to 1.26 switch that off; the managed Istio of AKS does so ' +
          'from asm-1-29 and AKS 1.33 on',
        changes: 'all pods that are injected from then on, in the whole mesh',
        native: true,
        kubelets: '1.33',
        source: 'Istio 1.27.0, DetectNativeSidecar; AKS documentation, Istio native sidecars',
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
        does: 'upgrade Istio to 1.24 or later; until then, let the main container call POST localhost:15020/quitquitquit when its work is done, as scuttle does',
        changes: 'the agent ends with 0 when it is called; it accepts that since 1.3',
        source: 'istio/istio#15123',
      },
    ],
  },
};

export const linkerd: Entry = {
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
  native: {
    kind: 'Switch',
    since: '2.15 (edge-23.11.4)',
    by: 'the annotation config.alpha.linkerd.io/proxy-enable-native-sidecar, since 2.19 (edge-25.10.2) config.beta.linkerd.io/…; by default since 2.20 (edge-26.5.2)',
    source: 'Linkerd 2.15, 2.19 and 2.20, release notes; linkerd/linkerd2#15267',
  },
  cure: {
    injectedIf: [{ annotation: 'linkerd.io/proxy-version' }, { annotation: 'linkerd.io/created-by' }],
    switches: [
      annotated('config', ['2.20', 'edge-26.5.2']),
      annotated('config.beta', ['2.19', 'edge-25.10.2'], ['2.20', 'edge-26.5.2']),
      annotated('config.alpha', ['2.15', 'edge-23.11.4'], ['2.19', 'edge-25.10.2']),
      {
        until: ['2.15', 'edge-23.11.4'],
        does: 'upgrade Linkerd to 2.15 or later; until then, start the main container with `linkerd-await --shutdown --`, which calls POST localhost:4191/shutdown when its work is done',
        changes: 'the proxy drains for up to two minutes, then ends with 0',
        source: 'linkerd/linkerd2-proxy#811, #1815',
      },
    ],
  },
};

/** The annotation was renamed at each stage; an older injector does not know the newer names. */
function annotated(stage: string, since: readonly string[], until?: readonly string[]): Switch {
  return {
    since,
    ...(until && { until }),
    annotation: { key: `${stage}.linkerd.io/proxy-enable-native-sidecar`, value: 'true' },
    changes:
      'linkerd-proxy is a native sidecar in these pods; the Helm value proxy.nativeSidecar does so in all, and is on by default since 2.20',
    native: true,
    source: `Linkerd ${since.toReversed().join(' and ')}, release notes; pkg/k8s/labels.go`,
  };
}

export const consulDataplane: Entry = {
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
  native: {
    kind: 'Switch',
    since: 'consul-k8s 1.8.2 and 1.9.0',
    by: 'the annotation consul.hashicorp.com/enable-consul-dataplane-as-sidecar, or the Helm value connectInject.dataplaneAsSidecarInitContainer.defaultEnabled, off by default',
    source:
      'hashicorp/consul-k8s, .changelog/4678.txt, control-plane/connect-inject/webhook/consul_dataplane_sidecar.go',
  },
  cure: {
    injectedIf: [{ annotation: 'consul.hashicorp.com/connect-inject-status' }],
    switches: [
      {
        annotation: { key: 'consul.hashicorp.com/enable-consul-dataplane-as-sidecar', value: 'true' },
        changes:
          'consul-dataplane is a native sidecar in these pods, if consul-k8s is 1.8.2 or 1.9.0 or later; the Helm value ' +
          'connectInject.dataplaneAsSidecarInitContainer.defaultEnabled does so in all',
        native: true,
        source: 'hashicorp/consul-k8s, .changelog/4678.txt',
      },
      {
        does: 'let the main container call 127.0.0.1:20600/graceful_shutdown when its work is done',
        changes: 'consul-dataplane ends with 0 after shutdown-grace-period-seconds',
        source: 'hashicorp/consul-dataplane#100, #175',
      },
    ],
  },
};

export const kuma: Entry = {
  name: 'kuma',
  mesh: true,
  containers: ['kuma-sidecar'],
  images: ['kuma-dp', 'kumahq/kuma-dp', 'kong/kuma-dp'],
  steps: [{ signal: ['TERM'] }, { command: ['/busybox/sh', '-c', 'kill -%d 1'] }],
  notes:
    "Kuma's own control plane ends it through Envoy's admin port, which requires a client certificate. Its shell is /busybox/sh.",
  source: 'kumahq/kuma#1497',
  native: {
    kind: 'Switch',
    since: '2.7',
    by: 'KUMA_EXPERIMENTAL_SIDECAR_CONTAINERS=true of the control plane, on an API server of 1.29 or later; by default since 2.14.0, without a switch since 3.0.0',
    source: 'kumahq/kuma#9321, #16502, #17363, UPGRADE.md',
  },
  cure: {
    injectedIf: [{ annotation: 'kuma.io/sidecar-injected', value: 'true' }],
    switches: [
      {
        since: ['2.14.0'],
        does:
          'take KUMA_EXPERIMENTAL_SIDECAR_CONTAINERS=false out of the environment of the control plane (experimental.sidecarContainers of ' +
          'its Helm chart), and restart it if the API server was upgraded to 1.29 or later after it started: it looks at that version ' +
          'only when it starts',
        changes: 'kuma-sidecar is a native sidecar in all pods that are injected from then on',
        native: true,
        source: 'kumahq/kuma#16502, UPGRADE.md',
      },
      {
        since: ['2.7'],
        until: ['2.14.0'],
        does:
          "set KUMA_EXPERIMENTAL_SIDECAR_CONTAINERS=true in the control plane's environment (experimental.sidecarContainers of its " +
          'Helm chart), and restart it: it looks at the version of the API server only when it ' +
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
};
