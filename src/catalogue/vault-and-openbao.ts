import type { Entry, Switch } from '../policy/profile.ts';

export const vaultAgent = agent({
  name: 'vault-agent',
  images: [
    'vault',
    'vault-enterprise',
    'hashicorp/vault',
    'hashicorp/vault-enterprise',
    'openbao/openbao',
    'openbao/openbao-ubi',
  ],
  domain: 'vault.hashicorp.com',
  injector: 'hashicorp/vault-k8s',
  noNative: 'vault-k8s 1.7.6 has no native sidecars (#620; #659 is open)',
  notes:
    'The endpoint exists since 1.11 if enable_quit is set. A second request makes the agent panic, so only one is sent. ' +
    'The injector starts the agent with `sh -ec`, so PID 1 may be a shell. ' +
    "OpenBao's Helm chart injects with vault-k8s, too, and with its own image, in which `vault` is a link to `bao`.",
  source:
    'hashicorp/vault#14223, vault-k8s 0.16.0; openbao/openbao-helm 0.29.2, values.yaml; openbao/openbao, Dockerfile',
  quits: { since: ['1.11'], source: 'hashicorp/vault#14223, vault-k8s 0.16.0' },
});

export const openbaoAgent = agent({
  name: 'openbao-agent',
  images: ['openbao/openbao', 'openbao/openbao-ubi'],
  domain: 'openbao.org',
  injector: 'openbao/openbao-k8s',
  noNative: 'openbao-k8s 1.4.0 has no native sidecars',
  notes:
    "The injector openbao-k8s is a fork of vault-k8s, and turns that one's annotations into its own. OpenBao is a fork of Vault 1.14, " +
    'so a second request makes its agent panic, too: only one is sent. `sh -ec` starts the agent, so PID 1 may be a shell.',
  source:
    'openbao/openbao, command/agent.go; openbao/openbao-k8s#14, #21, agent-inject/agent/container_sidecar.go',
  quits: { source: 'openbao/openbao-k8s, agent-inject/agent/config.go' },
});

/** The differences between Vault's agent and that of its fork. */
interface Agent extends Pick<Entry, 'name' | 'images' | 'notes' | 'source'> {
  /** Of the annotations that its injector reads. */
  readonly domain: string;
  readonly injector: string;
  readonly noNative: string;
  /** The switch that lets the agent be called. */
  readonly quits: Pick<Switch, 'since' | 'source'>;
}

function agent({ name, images, domain, injector, noNative, notes, source, quits }: Agent): Entry {
  const enablesQuit = { key: `${domain}/agent-enable-quit`, value: 'true' };
  const mayQuit = [{ annotation: enablesQuit.key, value: enablesQuit.value }];
  const status = `${domain}/agent-inject-status`;
  return {
    name,
    containers: [name],
    images,
    steps: [
      {
        http: {
          port: { annotation: `${domain}/agent-cache-listener-port`, default: 8200 },
          path: '/agent/v1/quit',
        },
        exitCode: 0,
        when: mayQuit,
      },
      { signal: ['TERM'], exitCode: 0 },
    ],
    notes,
    source,
    native: {
      kind: 'Never',
      because: noNative,
      source: `${injector}, agent-inject/agent/container_sidecar.go`,
      secondRun: `${injector}, agent-inject/agent/agent.go, ShouldInject: nothing if ${status} is injected`,
    },
    cure: {
      injectedIf: [{ annotation: status }],
      switches: [
        {
          annotation: { key: `${domain}/agent-pre-populate-only`, value: 'true' },
          changes: `the injector adds only its init container: the secrets are there before the main container starts, and are not renewed. ${noNative}`,
          source: `${injector}, agent-inject/agent/annotations.go`,
        },
        {
          unless: mayQuit,
          annotation: enablesQuit,
          does: 'if the secrets must be renewed, let the main container POST to 127.0.0.1:8200/agent/v1/quit when its work is done',
          changes: 'the agent ends with 0 when it is called, by the main container or by a sweep',
          ...quits,
        },
      ],
    },
  };
}
