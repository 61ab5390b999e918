import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CliOptions, runCli } from '../../kit/cli.ts';
import type { KubeconfigUser } from '../../kit/emulator/index.ts';
import { runHere } from '../../kit/run-here.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce([stuckPod()]);
const folder = temporaryFolder('unverified');

const off = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

it('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused unless the command line says the same', async () => {
  const run = await cluster.run([], { env: off });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--insecure-skip-tls-verify');
});

it.each([['--dry-run'], ['scan'], ['explain', 'demo/stuck'], ['check-access']])(
  '%s says that the server was not verified, to machines and people',
  async (...command) => {
    const unverified = [...command, '--insecure-skip-tls-verify'];
    const run = await cluster.runHere([...unverified, '-o', 'json'], { env: off });
    expect(JSON.parse(run.stdout).warnings).toMatchObject([{ kind: 'ServerUnverified' }]);
    const table = await cluster.runHere([...unverified, '-o', 'table'], { env: off });
    expect(table.stdout).toMatch(/certificate of .* is not checked/);
    expect(JSON.parse((await cluster.runHere([...command, '-o', 'json'])).stdout).warnings).toEqual([]);
  },
);

it('NODE_EXTRA_CA_CERTS names the CA of a kubeconfig without one', async () => {
  const [authority = '', data = ''] =
    / *certificate-authority-data: (.*)\n/.exec(cluster.emulator.kubeconfig()) ?? [];
  const [kubeconfig, ca] = [join(folder, 'without-ca'), join(folder, 'ca.crt')];
  writeFileSync(kubeconfig, cluster.emulator.kubeconfig().replace(authority, ''));
  writeFileSync(ca, Buffer.from(data, 'base64'));
  const run = (env: CliOptions['env'] = {}) => runCli(['scan', '-A', '--kubeconfig', kubeconfig], { env });
  expect((await run()).exitCode).toBe(3);
  expect((await run({ NODE_EXTRA_CA_CERTS: ca })).exitCode).toBe(0);
});

const apiVersion = 'client.authentication.k8s.io/v1';

/** A kubeconfig whose credentials this script gives, in place of a token. */
function withPlugin(script: string, user?: KubeconfigUser): string {
  const exec = { apiVersion, command: 'sh', args: ['-c', script], interactiveMode: 'Never' };
  const kubeconfig = join(folder, 'config');
  const text = cluster.emulator.kubeconfig(user).replace(/token: .*/, `exec: ${JSON.stringify(exec)}`);
  writeFileSync(kubeconfig, text);
  return kubeconfig;
}

it('a plugin that complains of a token which was sent does not make it public', async () => {
  const token = cluster.emulator.serviceAccount({ namespace: 'default', name: 'sweeper', rules: [] });
  const credential = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } });
  // The first time it gives the token, and then it complains of it.
  const script = `[ -e asked ] && { echo "who refuses ${token}?" >&2; exit 1; }; touch asked; echo '${credential}'`;
  const kubeconfig = withPlugin(`cd ${folder}; ${script}`, { name: 'sweeper', token });
  cluster.emulator.revoke(token);
  // The list of the first namespace is refused, and before that of the second one, the plugin is asked again.
  const { stdout, stderr } = await runHere(['scan', '-n', 'a', '-n', 'b', '--kubeconfig', kubeconfig]);
  expect(stdout + stderr).toContain('exited with code 1: run its command by hand to see why');
  expect(stdout + stderr).not.toContain('who refuses');
  expect(stdout + stderr).not.toContain(token);
});
