import type { Entry } from '../policy/profile.ts';

export const telemetry: readonly Entry[] = [
  {
    name: 'opentelemetry-collector',
    containers: [
      'otc-container',
      'otel-collector',
      'otel-agent',
      'opentelemetry-collector',
      'aws-otel-collector',
      'adot-collector',
      'splunk-otel-collector',
      'alloy',
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
      'splunk-otel-collector',
      'signalfx/splunk-otel-collector',
      'grafana/alloy',
    ],
    steps: [{ signal: ['TERM'], exitCode: 0 }],
    notes: 'It has no endpoint, and the image has no shell, so only an image swap or a last resort ends it.',
    source: 'open-telemetry/opentelemetry-collector, otelcol/collector.go',
    native: {
      kind: 'Switch',
      since: 'opentelemetry-operator 0.111.0',
      by: 'the feature gate operator.sidecarcontainers.native, on by default since 0.132.0 and removed in 0.140.0, on an API server of 1.29 or later',
      source:
        'open-telemetry/opentelemetry-operator 0.111.0, 0.132.0 and 0.140.0, release notes; #2376, #3356, #4451',
    },
    cure: {
      injectedIf: [{ annotation: 'sidecar.opentelemetry.io/inject' }],
      switches: [
        {
          when: [{ annotation: 'sidecar.opentelemetry.io/inject' }],
          does: 'start the operator with the feature gate operator.sidecarcontainers.native (since 0.111.0), or upgrade it to 0.132.0 or later, where the gate is on by default',
          changes: 'the collectors of all pods that are injected from then on are native sidecars',
          native: true,
          source: 'open-telemetry/opentelemetry-operator 0.111.0 and 0.132.0, release notes',
        },
      ],
    },
  },
  {
    name: 'fluent-bit',
    containers: ['fluent-bit', 'fluentbit', 'log_router', 'log-router'],
    images: ['fluent-bit', 'fluent/fluent-bit', 'aws-for-fluent-bit', 'aws-observability/aws-for-fluent-bit'],
    steps: [{ signal: ['TERM'], exitCode: 0, grace: '10s' }],
    notes:
      'It flushes for up to `grace` (5 s). Only the -debug tags of the image have a shell; the image of AWS has one.',
    source: 'fluent/fluent-bit#2411',
  },
  {
    name: 'datadog-agent',
    endsLast: [{ env: 'DD_AUTO_EXIT_NOPROCESS_ENABLED', value: 'true' }],
    containers: ['datadog-agent', 'datadog-agent-injected'],
    images: ['datadog/agent', 'datadoghq/agent'],
    steps: [{ signal: ['TERM'] }],
    notes:
      's6 is PID 1. In a shared process namespace, DD_AUTO_EXIT_NOPROCESS_ENABLED=true makes it exit by itself.',
    source: 'DataDog/datadog-agent#8741',
    native: {
      kind: 'Never',
      because:
        'the Cluster Agent injects it as a regular container, and adds another if that was moved; a template may have it under initContainers',
      source: 'DataDog/datadog-agent#22535, pkg/clusteragent/admission/mutate/agent_sidecar',
    },
    cure: {
      switches: [
        {
          unless: [{ env: 'DD_AUTO_EXIT_NOPROCESS_ENABLED', value: 'true' }],
          does: 'set DD_AUTO_EXIT_NOPROCESS_ENABLED=true for the agent, and shareProcessNamespace: true for the pod',
          changes: 'the agent ends by itself about a minute after the other processes of the pod',
          source: 'DataDog/datadog-agent#8741',
        },
      ],
    },
  },
  {
    name: 'vector',
    containers: ['vector', 'vector-agent'],
    images: ['timberio/vector'],
    steps: [{ signal: ['TERM'], exitCode: 0 }],
    notes: 'On TERM, it delivers what it holds, then ends. The -distroless tags of the image have no shell.',
    source: 'vectordotdev/vector, src/signal.rs, src/app.rs',
  },
  {
    name: 'statsd-exporter',
    containers: ['statsd-exporter'],
    images: ['statsd-exporter', 'prom/statsd-exporter', 'prometheus/statsd-exporter'],
    steps: [
      {
        http: { port: { argument: '--web.listen-address', default: 9102 }, path: '/-/quit' },
        exitCode: 0,
        when: [{ argument: '--web.enable-lifecycle' }],
      },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes: 'The endpoint is off unless --web.enable-lifecycle is set.',
    source: 'prometheus/statsd_exporter, main.go',
  },
  {
    name: 'aws-xray-daemon',
    containers: ['xray-daemon', 'aws-xray-daemon', 'xray'],
    images: ['aws-xray-daemon', 'xray/aws-xray-daemon', 'amazon/aws-xray-daemon'],
    steps: [{ signal: ['TERM'], exitCode: 0 }],
    notes:
      'On TERM, it sends the segments that it holds, then returns from its main function. The image has no shell.',
    source: 'aws/aws-xray-daemon, cmd/tracing/tracing.go, cmd/tracing/daemon.go, Dockerfile',
  },
];
