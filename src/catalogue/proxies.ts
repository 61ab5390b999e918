import type { Entry } from '../policy/profile.ts';

export const proxies: readonly Entry[] = [
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
      switches: [
        {
          does: 'let the main container POST to /quitquitquit of its admin port (localhost:9901) when its work is done, as envoy-preflight does',
          changes: 'Envoy ends with 0 when it is called',
          source: 'envoyproxy/envoy admin interface; monzo/envoy-preflight',
        },
      ],
    },
  },
  {
    name: 'pgbouncer',
    containers: ['pgbouncer'],
    images: ['pgbouncer'],
    tunnel: { endsIf: [] },
    steps: [{ signal: ['INT'], exitCode: 0 }, { signal: ['TERM'] }],
    notes:
      'On INT, it lets running queries finish. On TERM, it exits with 1 at once before 1.23; since 1.23, it waits for all clients to disconnect, and a second TERM ends it at once.',
    source: 'pgbouncer/pgbouncer#902; tried with 1.18',
  },
  {
    name: 'nginx',
    containers: ['nginx-proxy', 'nginx-sidecar'],
    images: ['nginx', 'nginx-unprivileged'],
    tunnel: {},
    steps: [
      { signal: ['QUIT'], exitCode: 0 },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes:
      'QUIT lets it finish open requests, TERM does not. A container named nginx is often the main, so it needs an annotation or a rule to count as a sidecar.',
    source: 'nginx documentation, Controlling nginx; tried with 1.22',
  },
  {
    name: 'haproxy',
    containers: ['haproxy', 'haproxy-sidecar'],
    images: ['haproxy', 'haproxy-alpine', 'haproxytech/haproxy-*'],
    tunnel: {},
    steps: [{ signal: ['USR1'], exitCode: 0 }, { signal: ['TERM'] }],
    notes:
      'USR1 lets it finish open connections. Without -W, it has no handler for TERM, so TERM has no effect on it as PID 1; with -W, TERM ends it at once.',
    source: 'haproxy management guide, Stopping and restarting HAProxy; tried with 2.6',
  },
  {
    name: 'stunnel',
    containers: ['stunnel', 'stunnel-*'],
    images: ['stunnel'],
    tunnel: {},
    steps: [{ signal: ['TERM'], exitCode: 0 }],
    notes: 'It must run with `foreground = yes`, as it does in containers.',
    source: 'stunnel(8), SIGNALS; tried with 5.68',
  },
  {
    name: 'azwi-proxy',
    endsLast: true,
    containers: ['azwi-proxy'],
    images: ['workload-identity/proxy'],
    steps: [{ signal: ['TERM'], exitCode: 0, grace: '10s' }],
    notes: 'On TERM, it ends with 0 within 5 s, or else with an error. The image has no shell.',
    source: 'Azure/azure-workload-identity#773, pkg/proxy/proxy.go',
    native: {
      kind: 'Switch',
      since: '1.5.0',
      by: 'an API server of 1.32 or later',
      source: 'Azure/azure-workload-identity#1442, pkg/webhook/webhook.go',
    },
    cure: {
      injectedIf: [{ annotation: 'azure.workload.identity/inject-proxy-sidecar' }],
      switches: [
        {
          does: 'upgrade the webhook of azure-workload-identity to 1.5.0 or later, and the API server to 1.32 or later; the webhook checks that version only when it starts',
          changes: 'azwi-proxy is a native sidecar in all pods that are injected from then on',
          native: true,
          source: 'Azure/azure-workload-identity#773, #1442, pkg/webhook/webhook.go',
        },
      ],
    },
  },
  {
    name: 'oauth2-proxy',
    containers: ['oauth2-proxy', 'oauth-proxy'],
    images: ['oauth2-proxy', 'oauth2-proxy/oauth2-proxy'],
    steps: [{ signal: ['TERM'] }],
    notes: 'On TERM, it answers open requests, then ends with 0; before 6.0.0, it has no handler for TERM.',
    source: 'oauth2-proxy/oauth2-proxy, oauthproxy.go, pkg/proxyhttp/server.go',
  },
  {
    name: 'tailscale',
    endsLast: true,
    containers: ['tailscale', 'ts-sidecar'],
    images: ['tailscale/tailscale'],
    steps: [{ signal: ['TERM'], grace: '30s' }],
    notes: 'On TERM, containerboot ends with 0 within 25 s since 1.56; before, it ends with an error.',
    source: 'tailscale/tailscale#10035, #10090, cmd/containerboot/main.go',
  },
];
