import type { Entry } from './entry.ts';

export const appMesh: Entry = {
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
};
