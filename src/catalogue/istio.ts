import type { Entry } from '../policy/profile.ts';

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
