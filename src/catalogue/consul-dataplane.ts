import type { Entry } from '../policy/profile.ts';

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
