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
