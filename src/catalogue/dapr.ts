import type { Entry } from '../policy/profile.ts';

export const dapr: Entry = {
  name: 'dapr',
  containers: ['daprd'],
  images: ['daprio/daprd', 'dapr/daprd', 'daprd'],
  steps: [
    {
      http: { port: { argument: '--dapr-http-port', default: 3500 }, path: '/v1.0/shutdown' },
      grace: '10s',
      unless: [{ env: 'DAPR_API_TOKEN' }],
    },
    { signal: ['TERM'] },
  ],
  notes:
    'It answers 204 and drains for dapr.io/graceful-shutdown-seconds (5). With an API token, the request would need that secret. ' +
    'Its exit code is not documented.',
  source: 'dapr/dapr#2828',
  cure: {
    injectedIf: [{ annotation: 'dapr.io/enabled' }],
    switches: [
      {
        annotation: { key: 'dapr.io/enable-native-sidecar', value: 'true' },
        changes:
          'daprd is a native sidecar in these pods, if the injector knows the annotation: its documentation was taken back in April ' +
          '2026, so see whether your release has it',
        native: true,
        source: 'dapr/dapr#9422, pkg/injector; dapr/docs#5041, #5147',
      },
      {
        does: 'let the main container POST to localhost:3500/v1.0/shutdown when its work is done',
        changes: 'daprd drains for dapr.io/graceful-shutdown-seconds (5), then ends',
        source: 'dapr/dapr#2828',
      },
    ],
  },
};
