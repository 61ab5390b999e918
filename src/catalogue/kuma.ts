import type { Entry } from '../policy/profile.ts';

export const kuma: Entry = {
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
};
