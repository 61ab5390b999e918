import type { Entry } from '../policy/profile.ts';

export const datadogAgent: Entry = {
  name: 'datadog-agent',
  containers: ['datadog-agent', 'datadog-agent-injected'],
  images: ['datadog/agent', 'datadoghq/agent'],
  steps: [{ signal: ['TERM'] }],
  notes:
    's6 is PID 1. In a shared process namespace, DD_AUTO_EXIT_NOPROCESS_ENABLED=true makes it exit by itself.',
  source: 'DataDog/datadog-agent#8741',
  cure: {
    injectedIf: [],
    switches: [
      {
        unless: [{ env: 'DD_AUTO_EXIT_NOPROCESS_ENABLED', value: 'true' }],
        does: 'set DD_AUTO_EXIT_NOPROCESS_ENABLED=true for the agent, and shareProcessNamespace: true for the pod',
        changes: 'the agent ends by itself about a minute after the other processes of the pod',
        source: 'DataDog/datadog-agent#8741',
      },
    ],
  },
};
