import type { Entry } from '../policy/profile.ts';

export const fluentBit: Entry = {
  name: 'fluent-bit',
  containers: ['fluent-bit', 'fluentbit', 'log_router', 'log-router'],
  images: ['fluent-bit', 'fluent/fluent-bit', 'aws-for-fluent-bit', 'aws-observability/aws-for-fluent-bit'],
  steps: [{ signal: ['TERM'], exitCode: 0, grace: '10s' }],
  notes:
    'It flushes for up to `grace` (5 s). Only the -debug tags of the image have a shell; the image of AWS has one.',
  source: 'fluent/fluent-bit#2411',
};
