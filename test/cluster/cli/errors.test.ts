import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliRun, runCli } from '../../kit/cli.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));
const folder = temporaryFolder('errors');

/** The only error message: the one plain line, or the message of the only warning or error in the log. */
function errorLine({ stderr }: CliRun): string {
  expect(stderr).not.toMatch(/^\s+at /m);
  const lines = stderr.trimEnd().split('\n');
  const messages = lines.flatMap((line) => {
    if (!line.startsWith('{')) return [line];
    const { level, message } = JSON.parse(line);
    return level === 'error' || level === 'warn' ? [message] : [];
  });
  expect(messages.length).toBe(1);
  return messages[0] ?? '';
}

let changed = 0;

/** A changed copy of the cluster's kubeconfig. */
async function kubeconfigFor(change: (text: string) => string): Promise<string> {
  const file = join(folder, `changed-${changed++}`);
  await writeFile(file, change(cluster.emulator.kubeconfig()));
  return file;
}

async function runAgainst(server: string, argv: readonly string[] = ['-o', 'json']): Promise<CliRun> {
  const file = await kubeconfigFor((text) => text.replace(/server: .*/, `server: ${server}`));
  return await runCli([...argv, '--kubeconfig', file]);
}

/** No program listens on this port. */
const nowhere = '127.0.0.1:1';

it.each<readonly [argv: readonly string[], message: string]>([
  [
    ['--min-ag', '5m'],
    "unknown option '--min-ag' (did you mean --min-age?); see sidecar-sweeper sweep --help",
  ],
  [['-n'], "option '-n, --namespace <namespace>' argument missing; see sidecar-sweeper sweep --help"],
])('the usage error %j prints one line with the remedy, exits 2 and sends nothing', async (argv, message) => {
  const before = cluster.emulator.requests.length;
  const env = { KUBECONFIG: await cluster.kubeconfig() };
  const run = await runCli(argv, { env });
  expect(run).toEqual({ exitCode: 2, stdout: '', stderr: `sidecar-sweeper: ${message}\n` });
  expect(cluster.emulator.requests.length).toBe(before);
});

describe.concurrent('an unreadable cluster prints one line and a report with the problem, and exits 3:', () => {
  /** A test of one run, whose error line matches. */
  const says = (what: string, run: () => Promise<CliRun>, message: RegExp) =>
    it(what, async () => {
      const ran = await run();
      expect(ran.exitCode).toBe(3);
      expect(errorLine(ran)).toMatch(message);
      expect(ran.stdout + ran.stderr).not.toMatch(/<html>|secret-token/);
    });

  // The first two are tried again: the others run meanwhile.
  it('a server that never answers', async () => {
    const stop = cluster.emulator.faults.add({ verb: 'list', namespace: 'silent' }, { kind: 'NeverAnswer' });
    const run = await cluster.run(['-n', 'silent', '--request-timeout', '1s']);
    stop();
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/no answer .* within 1s \(--request-timeout\)/);
  });

  it('a server that refuses connections', async () => {
    const run = await runAgainst(`https://${nowhere}`);
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/refuses connections: is the cluster running\?/);
    expect(JSON.parse(run.stdout)).toMatchObject({ unread: [{ problem: 'Unreachable' }], pods: [] });
  });

  says(
    'a server that answers with a login page',
    () => withServer(loginPage, (url) => runAgainst(url)),
    /\(HTML\): is it a Kubernetes API server\?/,
  );
  says(
    'rejected credentials, which are not printed',
    () => cluster.run([], { user: { name: 'stranger', token: 'secret-token' } }),
    /does not accept the credentials/,
  );
  says(
    'a forbidden list',
    async () => {
      const token = cluster.emulator.serviceAccount({ namespace: 'demo', name: 'reader', rules: [] });
      return cluster.run([], { user: { name: 'reader', token } });
    },
    /cannot list resource "pods".*; name namespaces .* or grant get, list on pods by the rule - \{apiGroups: \[""\], /,
  );

  it('check-access: a server that rejects the credentials', async () => {
    const ran = await cluster.run(['check-access'], { user: { name: 'stranger', token: 'wrong' } });
    expect({ exitCode: ran.exitCode, stdout: ran.stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(errorLine(ran)).toMatch(
      /^sidecar-sweeper: the permissions of this account are unknown: the API server does not accept the credentials .*; log in again, or choose another context with --context$/,
    );
  });

  it('check-access: a program gets its document all the same', async () => {
    const run = await cluster.run(['check-access', '-o', 'json'], { user: { name: 'x', token: 'wrong' } });
    expect(run.exitCode).toBe(3);
    expect(JSON.parse(run.stdout)).toMatchObject({ kind: 'AccessReport', rulesToAdd: [] });
  });
});

describe.concurrent('an unusable kubeconfig prints one line and exits 2:', () => {
  it.each<readonly [what: string, run: () => Promise<CliRun>, message: RegExp]>([
    ['none, outside a cluster', () => runCli([]), /name a kubeconfig with --kubeconfig or KUBECONFIG/],
    [
      'a missing certificate authority',
      async () => {
        const missing = 'certificate-authority: /no/ca.crt';
        const file = await kubeconfigFor((text) => text.replace(/certificate-authority-data: .*/, missing));
        return runCli(['--kubeconfig', file]);
      },
      /\/no\/ca\.crt/,
    ],
  ])('%s', async (_what, run, message) => {
    const ran = await run();
    expect(ran.exitCode).toBe(2);
    expect(errorLine(ran)).toMatch(message);
  });
});

const loginPage = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>';

/** Starts a server that sends this answer on every connection. */
async function withServer(answer: string, use: (url: string) => Promise<CliRun>): Promise<CliRun> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${Object(server.address()).port}`);
  } finally {
    server.close();
  }
}
