import { describe, expect, it } from 'vitest';
import { describeStep } from '../../../src/methods/index.ts';
import type { ContainerView, PodView } from '../../../src/model/pod.ts';
import { toLadder } from '../../../src/plan/ladder.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { container, podView, running } from '../../builders/pod-view.ts';

type Shown = Partial<Pick<ContainerView, 'args' | 'env'>> & Pick<Partial<PodView>, 'annotations'>;

/** The steps of a profile for a container in a pod, in words, each with the exit code that it promises. */
function stepsOf(name: string, { annotations = {}, ...sidecar }: Shown): readonly string[] {
  const known = catalogue.find((one) => one.name === name);
  if (!known) expect.fail(`no profile ${name}`);
  const of = { pod: podView({ annotations }), container: container('sidecar', running, sidecar) };
  return toLadder(known.steps, { kind: 'Profile', profile: name }, of).steps.map(
    (step) => `${describeStep(step)} -> ${step.exitCode ?? '?'} in ${step.grace / 1000}s`,
  );
}

const tried = new Set<string>();

function ends(name: string, shown: Shown, ...expected: readonly string[]): void {
  tried.add(name);
  it(`${name} ${JSON.stringify(shown)}`, () => expect(stepsOf(name, shown)).toEqual(expected));
}

const [term0, term143, term] = [0, 143, '?'].map((exitCode) => `signal TERM -> ${exitCode} in 30s`) as [
  string,
  string,
  string,
];

describe('a typical pod’s sidecar is asked to end:', () => {
  ends(
    'istio',
    {},
    'POST localhost:15020/quitquitquit -> 0 in 15s',
    'POST localhost:15000/quitquitquit -> 0 in 15s',
    'run pilot-agent request POST quitquitquit -> 0 in 15s',
    term0,
  );
  ends(
    'linkerd',
    {},
    'POST localhost:4191/shutdown -> 0 in 120s',
    'run /usr/lib/linkerd/linkerd-await --shutdown -- /bin/sleep 0 -> 0 in 120s',
    'signal TERM -> 0 in 120s',
  );
  const endpointOff = { env: { LINKERD2_PROXY_SHUTDOWN_ENDPOINT_ENABLED: 'false' } };
  ends('linkerd', endpointOff, 'signal TERM -> 0 in 120s');

  ends('cloud-sql-proxy', {}, term143);
  ends('cloud-sql-proxy', { env: { CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: 'true' } }, term0);
  for (const off of [
    { args: ['--exit-zero-on-sigterm=false', '--quitquitquit=false'] },
    { env: { CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: 'false', CSQL_PROXY_QUITQUITQUIT: '0' } },
    { env: { CSQL_PROXY_EXIT_ZERO_ON_SIGTERM: '', CSQL_PROXY_QUITQUITQUIT: '' } },
  ]) {
    ends('cloud-sql-proxy', off, term143);
  }
  ends(
    'cloud-sql-proxy',
    { args: ['--quitquitquit', '--admin-port=9999'] },
    'POST localhost:9999/quitquitquit -> 0 in 30s',
    term143,
  );
  ends('cloud-sql-proxy-v1', {}, term);
  const quit = { args: ['--quitquitquit'] };
  // Its flag is not named like that of cloud-sql-proxy.
  ends('alloydb-auth-proxy', { args: ['--exit-zero-sigterm'] }, term0);
  ends('alloydb-auth-proxy', { env: { ALLOYDB_PROXY_EXIT_ZERO_SIGTERM: 'true' } }, term0);
  ends('alloydb-auth-proxy', { args: ['--exit-zero-on-sigterm'] }, term143);
  ends(
    'alloydb-auth-proxy',
    quit,
    'POST localhost:9091/quitquitquit -> 0 in 30s',
    'run /alloydb-auth-proxy shutdown -> 0 in 30s',
    term143,
  );

  for (const [name, key] of [
    ['vault-agent', 'vault.hashicorp.com/agent-enable-quit'],
    ['openbao-agent', 'openbao.org/agent-enable-quit'],
  ] as const) {
    ends(name, {}, term0);
    ends(name, { annotations: { [key]: 'true' } }, 'POST localhost:8200/agent/v1/quit -> 0 in 30s', term0);
  }
  ends(
    'consul-dataplane',
    {},
    'POST localhost:20600/graceful_shutdown -> 0 in 30s',
    'POST localhost:20300/graceful_shutdown -> 0 in 30s',
    term0,
  );
  ends('dapr', {}, 'POST localhost:3500/v1.0/shutdown -> ? in 10s', term);
  ends('dapr', { env: { DAPR_API_TOKEN: 'secret' } }, term);
  // The injector takes the token from a secret, so that the pod does not show its value.
  ends('dapr', { annotations: { 'dapr.io/api-token-secret': 'dapr-api-token' } }, term);
  const viaBusybox = (signal: number) => `run /busybox/sh -c kill -${signal} 1`;
  ends('kuma', {}, term, `${viaBusybox(15)} -> ? in 30s`, `${viaBusybox(9)} -> ? in 5s`);
  ends('envoy', {}, 'POST localhost:9901/quitquitquit -> 0 in 30s', term0);
  ends('opentelemetry-collector', {}, term0);
  ends('fluent-bit', {}, 'signal TERM -> 0 in 10s');
  ends('datadog-agent', {}, term);
  ends('gcsfuse', {}, 'run /bin/sh -c : > /gcsfuse-tmp/.volumes/exit -> 0 in 15s');
  ends('pgbouncer', {}, 'signal INT -> 0 in 30s', term);
  ends('nginx', {}, 'signal QUIT -> 0 in 30s', term0);
  ends('haproxy', {}, 'signal USR1 -> 0 in 30s', term);
  ends('stunnel', {}, term0);
  ends('vector', {}, term0);
  ends('statsd-exporter', {}, term0);
  ends(
    'statsd-exporter',
    { args: ['--web.enable-lifecycle'] },
    'POST localhost:9102/-/quit -> 0 in 30s',
    term0,
  );
  ends('aws-xray-daemon', {}, term0);
  ends('git-sync', {}, term143);
  ends('docker-in-docker', {}, 'signal TERM -> 0 in 20s');
  ends('azwi-proxy', {}, 'signal TERM -> 0 in 10s');
  ends('oauth2-proxy', {}, term);
  ends('tailscale', {}, term);

  const kubexit = `run /bin/sh -c echo Died: 2020-01-01T00:00:00Z > "\${KUBEXIT_GRAVEYARD:-/graveyard}/\${KUBEXIT_DEATH_DEPS%%,*}"`;
  ends('kubexit', { env: { KUBEXIT_DEATH_DEPS: 'main' } }, `${kubexit} -> ? in 30s`);
});

describe('the port that a pod sets is used:', () => {
  // biome-ignore format: one row a line
  it.each<readonly [name: string, first: string, Shown]>([
    ['istio', ':15099/quitquitquit', { annotations: { 'status.sidecar.istio.io/port': '15099' } }],
    // An agent whose port is 0 has no endpoint.
    ['istio', ':15000/quitquitquit', { annotations: { 'status.sidecar.istio.io/port': '0' } }],
    ['linkerd', ':4999/shutdown', { annotations: { 'config.linkerd.io/admin-port': '4999' } }],
    ['consul-dataplane', ':21000/graceful_shutdown', { annotations: { 'consul.hashicorp.com/sidecar-proxy-lifecycle-graceful-port': '21000' } }],
    ['vault-agent', ':8100/agent/v1/quit', { annotations: { 'vault.hashicorp.com/agent-enable-quit': 'true', 'vault.hashicorp.com/agent-cache-listener-port': '8100' } }],
    ['cloud-sql-proxy', ':9092/quitquitquit', { env: { CSQL_PROXY_QUITQUITQUIT: 'true', CSQL_PROXY_ADMIN_PORT: '9092' } }],
    ['alloydb-auth-proxy', ':9091/quitquitquit', { env: { ALLOYDB_PROXY_QUITQUITQUIT: 'true' } }],
    ['dapr', ':3501/v1.0/shutdown', { args: ['--dapr-http-port', '3501'] }],
    ['envoy', ':9902/quitquitquit', { env: { ENVOY_ADMIN_PORT: '9902' } }],
  ])('%s %s', (name, first, shown) => {
    expect(stepsOf(name, shown)[0]).toContain(`localhost${first}`);
  });
});

it('every entry of the catalogue has steps, which are tried here', () => {
  expect(catalogue.flatMap(({ name, steps }) => (steps.length > 0 ? name : [])).sort()).toEqual(
    [...tried].sort(),
  );
  expect(tried.size).toBe(catalogue.length);
});
