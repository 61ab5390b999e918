import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliRun, runCli } from '../../kit/cli.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  cluster = await TestCluster.start([stuckPod()]);
  folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-errors-'));
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

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

  // The first two take longest, because they are tried again: the others run meanwhile.
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
    'a proxy that refuses connections',
    async () => {
      const proxied = `$1server: https://api.example.test:6443\n$1proxy-url: http://${nowhere}`;
      const file = await kubeconfigFor((text) => text.replace(/( *)server: .*/, proxied));
      return runCli(['scan', '--kubeconfig', file]);
    },
    /the proxy 127\.0\.0\.1:1 refuses connections: check proxy-url and HTTPS_PROXY$/,
  );
  says('an unknown host name', () => runAgainst('https://nowhere.invalid:6443'), /nowhere\.invalid/);
  says(
    'a server that sends a greeting first',
    () => withServer('SSH-2.0-OpenSSH\r\n', (url) => runAgainst(url)),
    /Parse Error: Expected HTTP/,
  );
  says(
    'a server that answers with a login page',
    () => withServer(page('200 OK'), (url) => runAgainst(url)),
    /\(HTML\): is it a Kubernetes API server\?/,
  );
  says(
    'a proxy that redirects to a login page',
    () => withServer(page('302 Found'), (url) => runAgainst(url, ['scan', '-n', 'web'])),
    /cannot list pods in namespace web: the server answered HTTP 302 \(a redirect\): is it a Kubernetes API server, or does a login proxy stand in front of it\?/,
  );
  says(
    'a proxy that shows a login page instead of a pod',
    () => withServer(page('200 OK'), (url) => runAgainst(url, ['explain', 'web/pod'])),
    /the pod web\/pod cannot be read: the server answered with something that is not a pod \(HTML\)/,
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

  it.each<readonly [what: string, run: () => Promise<CliRun>, message: RegExp]>([
    [
      'refuses connections',
      () => runAgainst(`https://${nowhere}`, ['check-access']),
      /^https:\S+ refuses connections: is the cluster running\?$/,
    ],
    [
      'answers with a login page',
      () => withServer(page('200 OK'), (url) => runAgainst(url, ['check-access'])),
      /^the server answered with something that is not a SelfSubjectAccessReview \(HTML\): is it a Kubernetes API server\?$/,
    ],
    [
      'rejects the credentials',
      () => cluster.run(['check-access'], { user: { name: 'stranger', token: 'wrong' } }),
      /^the API server does not accept the credentials .*; log in again, or choose another context with --context$/,
    ],
  ])('check-access: a server that %s', async (_what, run, message) => {
    const ran = await run();
    expect({ exitCode: ran.exitCode, stdout: ran.stdout }).toEqual({ exitCode: 3, stdout: '' });
    const unknown = 'sidecar-sweeper: the permissions of this account are unknown: ';
    expect(errorLine(ran).replace(unknown, '')).toMatch(message);
  });

  it('check-access: a program gets its document all the same', async () => {
    const run = await cluster.run(['check-access', '-o', 'json'], { user: { name: 'x', token: 'wrong' } });
    expect(run.exitCode).toBe(3);
    expect(JSON.parse(run.stdout)).toMatchObject({ kind: 'AccessReport', rulesToAdd: [] });
  });
});

describe.concurrent('an unusable kubeconfig prints one line and exits 2:', () => {
  it.each<readonly [what: string, run: () => Promise<CliRun>, message: RegExp]>([
    [
      'one that does not exist',
      () => runCli(['--kubeconfig', '/does/not/exist']),
      /\/does\/not\/exist does not exist/,
    ],
    ['none, outside a cluster', () => runCli([]), /name a kubeconfig with --kubeconfig or KUBECONFIG/],
    [
      'an unknown context',
      () => cluster.run(['--context', 'production']),
      /no context "production" with a cluster in .*; it has emulator/,
    ],
    ['a folder', () => runCli(['--kubeconfig', folder]), /the kubeconfig \S+ cannot be read/],
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

function page(status: string): string {
  return `HTTP/1.1 ${status}\r\nLocation: /login\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>`;
}

/** Starts a server that sends this answer on every connection. */
async function withServer(answer: string, use: (url: string) => Promise<CliRun>): Promise<CliRun> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer.startsWith('HTTP')) socket.on('data', () => socket.write(answer));
    else socket.write(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${Object(server.address()).port}`);
  } finally {
    server.close();
  }
}
