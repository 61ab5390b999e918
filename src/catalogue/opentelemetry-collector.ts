import type { Entry } from '../policy/profile.ts';

export const opentelemetryCollector: Entry = {
  name: 'opentelemetry-collector',
  containers: [
    'otc-container',
    'otel-collector',
    'otel-agent',
    'opentelemetry-collector',
    'aws-otel-collector',
    'adot-collector',
  ],
  images: [
    'opentelemetry-collector',
    'opentelemetry-collector-contrib',
    'opentelemetry-collector-k8s',
    'otel/opentelemetry-collector',
    'otel/opentelemetry-collector-contrib',
    'otel/opentelemetry-collector-k8s',
    'aws-otel-collector',
    'aws-observability/aws-otel-collector',
  ],
  steps: [{ signal: ['TERM'], exitCode: 0 }],
  notes: 'It has no endpoint, and the image has no shell, so only --last-resort ends it.',
  source: 'open-telemetry/opentelemetry-collector, otelcol/collector.go',
  cure: {
    injectedIf: [{ annotation: 'sidecar.opentelemetry.io/inject' }],
    switches: [
      {
        when: [{ annotation: 'sidecar.opentelemetry.io/inject' }],
        does:
          'start the operator with the feature gate operator.sidecarcontainers.native, or upgrade it to 0.136.0 or later, where the ' +
          'gate is on by default',
        changes: 'the collectors of all pods that are injected from then on are native sidecars',
        native: true,
        source: 'open-telemetry/opentelemetry-operator 0.136.0, release notes',
      },
    ],
  },
};
