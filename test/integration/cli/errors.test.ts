import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliRun, runCli } from '../../kit/cli.ts';
import { itUnless } from '../../kit/needs.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { noTerminal, runOnTerminal } from '../../kit/terminal.ts';

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

describe('a usage error prints one line with the remedy, exits 2 and sends nothing:', () => {
  const table: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown flag', ['--bad'], /unknown option '--bad'/],
    ['a misspelt flag', ['--min-ag', '5m'], /did you mean --min-age/],
    ['an invalid duration', ['--min-age', 'soon'], /such as 90s, 5m or 1h30m/],
    ['a negative duration', ['--min-age=-5m'], /such as 90s, 5m or 1h30m/],
    ['an invalid number', ['--concurrency', 'many'], /whole number from 1 to 1000/],
    ['a concurrency of 0', ['--concurrency', '0'], /whole number from 1 to 1000/],
    ['an invalid namespace', ['-n', 'Not_A_Name'], /not a valid namespace name/],
    ['an unknown format', ['-o', 'xml'], /table, wide, json/],
    ['an extra argument', ['everything'], /too many arguments|unknown command/],
    ['both -A and -n', ['-A', '-n', 'demo'], /are mutually exclusive/],
  ];
  it.each(table)('%s', async (_what, argv, message) => {
    const before = cluster.emulator.requests.length;
    const run = await cluster.run(argv);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toMatch(message);
    expect(errorLine(run)).toContain('see sidecar-sweeper --help');
    expect(run.stdout).toBe('');
    expect(cluster.emulator.requests.length).toBe(before);
  });
});

it('a final flag without its value is also a usage error', async () => {
  const run = await runCli(['-n']);
  expect(run.exitCode).toBe(2);
  expect(errorLine(run)).toMatch(
    /'-n, --namespace <namespace>' argument missing; see sidecar-sweeper --help/,
  );
});

describe.concurrent('an unreadable cluster prints one line and a report with the problem, and exits 3:', () => {
  let changed = 0;
  async function kubeconfigFor(change: (text: string) => string): Promise<string> {
    const file = join(folder, `changed-${changed++}`);
    await writeFile(file, change(cluster.emulator.kubeconfig()));
    return file;
  }

  async function runAgainst(server: string, argv: readonly string[] = ['-o', 'json']): Promise<CliRun> {
    const file = await kubeconfigFor((text) => text.replace(/server: .*/, `server: ${server}`));
    return await runCli([...argv, '--kubeconfig', file]);
  }

  /** What check-access says of a cluster that answers no question. */
  function unknownAccess(run: CliRun): string {
    expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 3, stdout: '' });
    return errorLine(run).replace('sidecar-sweeper: the permissions of this account are unknown: ', '');
  }

  // The first three take longest, because they are tried again: the others run meanwhile.
  it('a server that never answers', async () => {
    const stop = cluster.emulator.faults.add({ verb: 'list', namespace: 'silent' }, { kind: 'NeverAnswer' });
    const run = await cluster.run(['-n', 'silent', '--request-timeout', '1s']);
    stop();
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/no answer .* within 1s \(--request-timeout\)/);
  });

  it('a server that refuses connections', async () => {
    const run = await runAgainst(`https://127.0.0.1:${await freePort()}`);
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/refuses connections: is the cluster running\?/);
    expect(JSON.parse(run.stdout)).toMatchObject({ unread: [{ problem: 'Unreachable' }], pods: [] });
  });

  it('check-access: a server that refuses connections', async () => {
    // Nobody listens there, and no other program on the machine is given it meanwhile.
    const run = await runAgainst('https://127.0.0.1:1', ['check-access']);
    expect(unknownAccess(run)).toMatch(/^https:\S+ refuses connections: is the cluster running\?$/);
  });

  it('a proxy that refuses connections', async () => {
    const file = await kubeconfigFor((text) =>
      text.replace(
        /( *)server: .*/,
        '$1server: https://api.example.test:6443\n$1proxy-url: http://127.0.0.1:1',
      ),
    );
    const run = await runCli(['scan', '--kubeconfig', file]);
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(
      /the proxy 127\.0\.0\.1:1 refuses connections: check proxy-url and HTTPS_PROXY$/,
    );
  });

  it('check-access: a server that answers with a login page', async () => {
    const page = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>';
    const run = await withServer(page, (port) => runAgainst(`http://127.0.0.1:${port}`, ['check-access']));
    expect(unknownAccess(run)).toMatch(
      /^the server answered with something that is not a SelfSubjectAccessReview \(HTML\): is it a Kubernetes API server\?$/,
    );
  });

  it('check-access: rejected credentials', async () => {
    const run = await cluster.run(['check-access'], { user: { name: 'stranger', token: 'wrong' } });
    expect(unknownAccess(run)).toMatch(
      /^the API server does not accept the credentials .*; log in again, or choose another context with --context$/,
    );
  });

  it('check-access: a program gets its document all the same', async () => {
    const run = await cluster.run(['check-access', '-o', 'json'], {
      user: { name: 'nobody', token: 'wrong' },
    });
    expect(run.exitCode).toBe(3);
    expect(JSON.parse(run.stdout)).toMatchObject({ kind: 'AccessReport', rulesToAdd: [] });
  });

  itUnless(noTerminal, 'a person is told what the sweep is waiting for', async () => {
    const port = await freePort();
    const file = await kubeconfigFor((text) =>
      text.replace(/server: .*/, `server: https://127.0.0.1:${port}`),
    );
    const shown = await runOnTerminal('cols 200 rows 24', ['--kubeconfig', file]);
    expect(shown.exitCode).toBe(3);
    expect(shown.text).toMatch(/still trying: https:\/\/127\.0\.0\.1:\d+ refuses connections/);
  });

  it('an unknown host name', async () => {
    const run = await runAgainst('https://nowhere.invalid:6443');
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/nowhere\.invalid/);
  });

  it('an untrusted certificate', async () => {
    const file = await kubeconfigFor((text) => text.replace(/ *certificate-authority-data: .*\n/, ''));
    const run = await runCli(['--kubeconfig', file]);
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/not trusted .*check certificate-authority/);
  });

  it('a certificate for another name', async () => {
    const file = await kubeconfigFor((text) =>
      text.replace(/( *)server: .*/, '$&\n$1tls-server-name: elsewhere'),
    );
    const run = await runCli(['--kubeconfig', file]);
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/is for another name; check server and tls-server-name/);
  });

  it.each<readonly [what: string, answer: string, message: RegExp]>([
    ['sends a greeting first', 'SSH-2.0-OpenSSH\r\n', /Parse Error: Expected HTTP/],
    [
      'answers with a login page',
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>',
      /\(HTML\): is it a Kubernetes API server\?/,
    ],
  ])('a server that %s', async (_what, answer, message) => {
    const run = await withServer(answer, (port) => runAgainst(`http://127.0.0.1:${port}`));
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(message);
  });

  it.each<readonly [what: string, status: string, argv: readonly string[], message: string]>([
    [
      'redirects to a login page',
      '302 Found',
      ['scan', '-n', 'web'],
      'cannot list pods in namespace web: the server answered HTTP 302 (a redirect): is it a Kubernetes API server, or does a login proxy stand in front of it?',
    ],
    [
      'has no such page',
      '404 Not Found',
      ['scan', '-n', 'web'],
      'cannot list pods in namespace web: the server answered HTTP 404 (HTML): is it a Kubernetes API server, or does a login proxy stand in front of it?',
    ],
    [
      'forbids it by a page',
      '403 Forbidden',
      ['scan', '-n', 'web'],
      'cannot list pods in namespace web: the server answered HTTP 403 (HTML): is it a Kubernetes API server, or does a login proxy stand in front of it?',
    ],
    [
      'shows a login page instead of a pod',
      '200 OK',
      ['explain', 'web/pod'],
      'the pod web/pod cannot be read: the server answered with something that is not a pod (HTML): is it a Kubernetes API server?',
    ],
  ])('a proxy that %s', async (_what, status, argv, message) => {
    const answer = `HTTP/1.1 ${status}\r\nLocation: /login\r\nContent-Length: 13\r\n\r\n<html></html>`;
    const run = await withServer(answer, (port) => runAgainst(`http://127.0.0.1:${port}`, argv));
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain(message);
    expect(run.stdout + run.stderr).not.toContain('<html>');
  });

  it('a server that does not speak TLS', async () => {
    const answer = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';
    const run = await withServer(answer, async (port, connections) => {
      const tried = await runAgainst(`https://127.0.0.1:${port}`);
      // Waiting would not help.
      expect(connections()).toBe(1);
      return tried;
    });
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/does not speak TLS: is it http, or another port\?/);
  });

  it('rejected credentials, without printing them', async () => {
    const token = 'canary-token-that-must-not-be-told';
    const run = await cluster.run([], { user: { name: 'stranger', token } });
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(/does not accept the credentials/);
    expect(run.stdout + run.stderr).not.toContain(token);
  });

  it('a forbidden list', async () => {
    const token = cluster.emulator.serviceAccount({ namespace: 'demo', name: 'nobody', rules: [] });
    const run = await cluster.run([], { user: { name: 'nobody', token } });
    expect(run.exitCode).toBe(3);
    expect(errorLine(run)).toMatch(
      /cannot list resource "pods".*; name namespaces .* or grant get, list on pods by the rule - \{apiGroups: \[""\], /,
    );
  });
});

describe.concurrent('an unusable configuration prints one line and exits 2:', () => {
  it('a kubeconfig that does not exist', async () => {
    const run = await runCli(['--kubeconfig', '/does/not/exist']);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toContain('/does/not/exist does not exist');
  });

  it('no kubeconfig, outside a cluster', async () => {
    const run = await runCli([]);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toContain('name a kubeconfig with --kubeconfig or KUBECONFIG');
  });

  it('an unknown context', async () => {
    const run = await cluster.run(['--context', 'production']);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toMatch(/no context "production" with a cluster in .*; it has emulator/);
  });

  it.each([
    ['binary', Buffer.from([0, 255, 1])],
    ['prose', 'hello'],
    ['an empty file', ''],
    ['another kind', 'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n'],
    ['broken YAML', 'clusters: [\n- {'],
  ])('a kubeconfig of %s', async (what, content) => {
    const file = join(folder, what);
    await writeFile(file, content);
    const run = await runCli(['--kubeconfig', file]);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toContain(file);
  });

  it('a folder as the kubeconfig', async () => {
    const run = await runCli(['--kubeconfig', folder]);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toContain(`the kubeconfig ${folder} cannot be read`);
  });

  it('a missing certificate authority file', async () => {
    const file = join(folder, 'no-ca');
    const text = cluster.emulator
      .kubeconfig()
      .replace(/certificate-authority-data: .*/, 'certificate-authority: /no/ca.crt');
    await writeFile(file, text);
    const run = await runCli(['--kubeconfig', file]);
    expect(run.exitCode).toBe(2);
    expect(errorLine(run)).toContain('/no/ca.crt');
  });
});

/** Starts a server that sends this answer on every connection. */
async function withServer<T>(
  answer: string,
  use: (port: number, connections: () => number) => Promise<T>,
): Promise<T> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
    if (answer.startsWith('HTTP')) socket.on('data', () => socket.write(answer));
    else socket.write(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    return await use(typeof address === 'object' && address ? address.port : 0, () => connections);
  } finally {
    server.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
