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
};
