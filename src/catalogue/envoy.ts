import { type Entry, inTemplates } from '../policy/profile.ts';

export const envoy: Entry = {
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
  native: inTemplates,
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
};
