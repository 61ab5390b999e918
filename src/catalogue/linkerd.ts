import type { Entry, Switch } from '../policy/profile.ts';

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
