import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliRun, runCli } from '../../kit/cli.ts';
import { runHere } from '../../kit/run-here.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));
const folder = temporaryFolder('errors');

/** The only error message: the one plain line, or the message of the only warning or error in the log. */
function errorLine({ stderr }: CliRun): string {
  expect(stderr).not.toMatch(/^\s+at /m);
  const messages = stderr
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('{')) return [line];
      const { level, message } = JSON.parse(line);
      return level === 'error' || level === 'warn' ? [message] : [];
    });
  expect(messages).toHaveLength(1);
  return messages[0] ?? '';
}

it.each<readonly [argv: readonly string[], message: string]>([
  [['--min-ag', '5m'], "unknown option '--min-ag' (did you mean --min-age?)"],
  [['-n'], "option '-n, --namespace <namespace>' argument missing"],
])('the usage error %j prints one line with the remedy, exits 2 and sends nothing', async (argv, message) => {
  const before = cluster.emulator.requests.length;
  const run = await runHere(argv, { KUBECONFIG: await cluster.kubeconfig() });
  const stderr = `sidecar-sweeper: ${message}; see sidecar-sweeper sweep --help\n`;
  expect(run).toEqual({ exitCode: 2, stdout: '', stderr });
  expect(cluster.emulator.requests.length).toBe(before);
});

describe('rejected credentials are not printed, and exit with 3:', () => {
  const user = { name: 'stranger', token: 'secret-token' };
  const unknown =
    /^sidecar-sweeper: the permissions of this account are unknown: the API server does not accept the credentials .*; log in again, or choose another context with --context$/;

  it.each<readonly [argv: readonly string[], message: RegExp, printed: RegExp]>([
    [[], /does not accept the credentials/, /"kind":"Unread"/],
    [['check-access'], unknown, /^$/],
    [['check-access', '-o', 'json'], unknown, /"kind": "AccessReport"/],
  ])('%j', async (argv, message, printed) => {
    const run = await cluster.runHere(argv, { user });
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(message);
    expect(run.stdout).toMatch(printed);
    expect(run.stdout + run.stderr).not.toContain(user.token);
  });
});

describe('an unusable kubeconfig prints one line and exits 2:', () => {
  it('none, outside a cluster', async () => {
    const run = await runCli([]);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toMatch(/name a kubeconfig with --kubeconfig or KUBECONFIG/);
  });

  it('a missing certificate authority', async () => {
    const missing = 'certificate-authority: /no/ca.crt';
    const file = join(folder, 'kubeconfig');
    const text = cluster.emulator.kubeconfig().replace(/certificate-authority-data: .*/, missing);
    await writeFile(file, text);
    const run = await runHere(['--kubeconfig', file]);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toMatch(/\/no\/ca\.crt/);
  });
});
