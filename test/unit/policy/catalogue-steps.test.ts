import { describe, expect, it } from 'vitest';
import { describeStep } from '../../../src/methods/index.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import { toLadder } from '../../../src/plan/ladder.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

/** The steps of a profile for a container of a pod, in words, each with the exit code that it promises. */
function steps(
  name: string,
  sidecar: Partial<ContainerView> = {},
  pod: Partial<PodView> = {},
): readonly string[] {
  const known = catalogue.find((one) => one.name === name);
  if (!known) expect.fail(`no profile ${name}`);
  const of = { pod: podView(pod), container: container('sidecar', running, sidecar) };
  return toLadder(known.steps, { kind: 'Profile', profile: name }, of).steps.map(
    (step) => `${describeStep(step)} -> ${step.exitCode ?? 'unknown'} in ${step.grace / 1000}s`,
  );
}

describe('a typical pod’s sidecar is asked to end', () => {
  const quit = { args: ['--quitquitquit'] };
  const zero = { env: { CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: 'true' } };
  it.each<readonly [title: string, steps: readonly string[], expected: readonly string[]]>([
    [
      'istio',
      steps('istio'),
      [
        'POST localhost:15020/quitquitquit -> 0 in 15s',
        'POST localhost:15000/quitquitquit -> 0 in 15s',
        'run pilot-agent request POST quitquitquit -> 0 in 15s',
        'signal TERM -> 0 in 30s',
      ],
    ],
    [
      'linkerd',
      steps('linkerd'),
      [
        'POST localhost:4191/shutdown -> 0 in 120s',
        'run /usr/lib/linkerd/linkerd-await --shutdown -- /bin/sleep 0 -> 0 in 120s',
        'signal TERM -> 0 in 120s',
      ],
    ],
    [
      'linkerd, whose endpoint is off',
      steps('linkerd', { env: { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: 'false' } }),
      ['signal TERM -> 0 in 120s'],
    ],
    ['cloud-sql-proxy', steps('cloud-sql-proxy'), ['signal TERM -> 143 in 30s']],
    ['cloud-sql-proxy that exits zero', steps('cloud-sql-proxy', zero), ['signal TERM -> 0 in 30s']],
    ...[
      { args: ['--exit-zero-on-sigterm=false', '--quitquitquit=false'] },
      { env: { CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: 'false', CSQL_PROXY_QUITQUITQUIT: '0' } },
      { env: { CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: '', CSQL_PROXY_QUITQUITQUIT: '' } },
    ].map(
      (off) =>
        [
          `cloud-sql-proxy whose switches are off: ${JSON.stringify(off)}`,
          steps('cloud-sql-proxy', off),
          ['signal TERM -> 143 in 30s'],
        ] as const,
    ),
    [
      'cloud-sql-proxy with its endpoint',
      steps('cloud-sql-proxy', { args: ['--quitquitquit', '--admin-port=9999'] }),
      [
        'POST localhost:9999/quitquitquit -> 0 in 30s',
        'run /cloud-sql-proxy shutdown -> 0 in 30s',
        'signal TERM -> 143 in 30s',
      ],
    ],
    ['cloud-sql-proxy v1', steps('cloud-sql-proxy-v1'), ['signal TERM -> unknown in 30s']],
    [
      'alloydb-auth-proxy',
      steps('alloydb-auth-proxy', quit),
      ['POST localhost:9091/quitquitquit -> 0 in 30s', 'signal TERM -> 143 in 30s'],
    ],
    ['vault-agent', steps('vault-agent'), ['signal TERM -> 0 in 30s']],
    [
      'vault-agent that may be told to quit',
      steps('vault-agent', {}, { annotations: { 'vault.hashicorp.com/agent-enable-quit': 'true' } }),
      ['POST localhost:8200/agent/v1/quit -> 0 in 30s', 'signal TERM -> 0 in 30s'],
    ],
    ['openbao-agent', steps('openbao-agent'), ['signal TERM -> 0 in 30s']],
    [
      'openbao-agent that may be told to quit',
      steps('openbao-agent', {}, { annotations: { 'openbao.org/agent-enable-quit': 'true' } }),
      ['POST localhost:8200/agent/v1/quit -> 0 in 30s', 'signal TERM -> 0 in 30s'],
    ],
    [
      'consul-dataplane',
      steps('consul-dataplane'),
      [
        'POST localhost:20600/graceful_shutdown -> 0 in 30s',
        'POST localhost:20300/graceful_shutdown -> 0 in 30s',
        'signal TERM -> 0 in 30s',
      ],
    ],
    [
      'dapr',
      steps('dapr'),
      ['POST localhost:3500/v1.0/shutdown -> unknown in 10s', 'signal TERM -> unknown in 30s'],
    ],
    [
      'dapr with a token',
      steps('dapr', { env: { DAPR_API_TOKEN: 'secret' } }),
      ['signal TERM -> unknown in 30s'],
    ],
    [
      'kuma',
      steps('kuma'),
      [
        'signal TERM -> unknown in 30s',
        'run /busybox/sh -c kill -15 1 -> unknown in 30s',
        'run /busybox/sh -c kill -9 1 -> unknown in 5s',
      ],
    ],
    ['envoy', steps('envoy'), ['POST localhost:9901/quitquitquit -> 0 in 30s', 'signal TERM -> 0 in 30s']],
    ['opentelemetry-collector', steps('opentelemetry-collector'), ['signal TERM -> 0 in 30s']],
    ['fluent-bit', steps('fluent-bit'), ['signal TERM -> 0 in 10s']],
    ['datadog-agent', steps('datadog-agent'), ['signal TERM -> unknown in 30s']],
    [
      'gcsfuse',
      steps('gcsfuse'),
      ['write /gcsfuse-tmp/.volumes/exit -> 0 in 15s', 'signal TERM -> 0 in 30s'],
    ],
    ['pgbouncer', steps('pgbouncer'), ['signal INT -> 0 in 30s', 'signal TERM -> unknown in 30s']],
    ['nginx', steps('nginx'), ['signal QUIT -> 0 in 30s', 'signal TERM -> 0 in 30s']],
    ['haproxy', steps('haproxy'), ['signal USR1 -> 0 in 30s', 'signal TERM -> unknown in 30s']],
    ['stunnel', steps('stunnel'), ['signal TERM -> 0 in 30s']],
    [
      'kubexit',
      steps('kubexit', { env: { KUBEXIT_DEATH_DEPS: 'main', KUBEXIT_GRAVEYARD: '/graveyard' } }),
      ['write /graveyard/main -> unknown in 30s'],
    ],
    [
      'kubexit with its default graveyard',
      steps('kubexit', { env: { KUBEXIT_DEATH_DEPS: 'main' } }),
      ['write /graveyard/main -> unknown in 30s'],
    ],
    [
      'kubexit that waits for two mains',
      steps('kubexit', { env: { KUBEXIT_DEATH_DEPS: 'one,two', KUBEXIT_GRAVEYARD: '/graveyard' } }),
      ['write /graveyard/one -> unknown in 30s', 'write /graveyard/two -> unknown in 30s'],
    ],
  ])('%s', (_title, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('the port that a pod says is the one that is asked', () => {
  it.each<readonly [steps: readonly string[], first: string]>([
    [steps('istio', {}, { annotations: { 'status.sidecar.istio.io/port': '15099' } }), ':15099/quitquitquit'],
    [steps('linkerd', {}, { annotations: { 'config.linkerd.io/admin-port': '4999' } }), ':4999/shutdown'],
    [
      steps(
        'consul-dataplane',
        {},
        {
          annotations: { 'consul.hashicorp.com/sidecar-proxy-lifecycle-graceful-port': '21000' },
        },
      ),
      ':21000/graceful_shutdown',
    ],
    [
      steps(
        'vault-agent',
        {},
        {
          annotations: {
            'vault.hashicorp.com/agent-enable-quit': 'true',
            'vault.hashicorp.com/agent-cache-listener-port': '8100',
          },
        },
      ),
      ':8100/agent/v1/quit',
    ],
    [steps('dapr', { args: ['--dapr-http-port', '3501'] }), ':3501/v1.0/shutdown'],
    [steps('envoy', { env: { ENVOY_ADMIN_PORT: '9902' } }), ':9902/quitquitquit'],
  ])('%#', (found, first) => {
    expect(found[0]).toContain(`localhost${first}`);
  });

  it('and istio’s agent, whose port is "0", is not asked', () => {
    const off = steps('istio', {}, { annotations: { 'status.sidecar.istio.io/port': '0' } });
    expect(off[0]).toBe('POST localhost:15000/quitquitquit -> 0 in 15s');
  });
});
