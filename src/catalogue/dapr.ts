import type { Entry } from '../policy/profile.ts';

export const dapr: Entry = {
  name: 'dapr',
  containers: ['daprd'],
  images: ['daprio/daprd', 'dapr/daprd', 'daprd'],
  steps: [
    {
      http: { port: { argument: '--dapr-http-port', default: 3500 }, path: '/v1.0/shutdown' },
      grace: '10s',
      unless: [{ env: 'DAPR_API_TOKEN' }, { annotation: 'dapr.io/api-token-secret' }],
    },
    { signal: ['TERM'] },
  ],
  notes:
    'It answers 204 and drains for dapr.io/graceful-shutdown-seconds (5); before 1.17.7 and 1.18.0, the answer is all that comes of it. ' +
    'With an API token, the request would need that secret. Its exit code is not documented.',
  source: 'dapr/dapr#2828, #9949',
  native: {
    kind: 'Switch',
    since: '1.18.0',
    by: 'the annotation dapr.io/enable-native-sidecar, or the Helm value dapr_sidecar_injector.nativeSidecar, off by default',
    source: 'Dapr 1.18.0, release notes; dapr/dapr#9422, #9450, pkg/injector/patcher/sidecar_patcher.go',
  },
  cure: {
    injectedIf: [{ annotation: 'dapr.io/enabled' }],
    switches: [
      {
        since: ['1.18.0'],
        annotation: { key: 'dapr.io/enable-native-sidecar', value: 'true' },
        changes:
          'daprd is a native sidecar in these pods; the Helm value dapr_sidecar_injector.nativeSidecar does so in all',
        native: true,
        source: 'Dapr 1.18.0, release notes; dapr/dapr#9450',
      },
      {
        until: ['1.17.7'],
        does: 'upgrade Dapr to 1.18.0 or later, which can make daprd a native sidecar',
        changes:
          'nothing until then: POST /v1.0/shutdown has no effect before 1.17.7, so each pod waits for a sweep',
        source: 'Dapr 1.18.0, release notes; dapr/dapr#9949',
      },
      {
        since: ['1.17.7'],
        does: 'let the main container POST to localhost:3500/v1.0/shutdown when its work is done',
        changes: 'daprd drains for dapr.io/graceful-shutdown-seconds (5), then ends',
        source: 'dapr/dapr#2828, #9949',
      },
    ],
  },
};
