import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { runHere } from '../kit/run-here.ts';
import { fileIn, temporaryFolder } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { ownAccount } from './accounts.ts';
import { playEach } from './every-request.ts';
import { FaultyCluster, outcomesOf, survive, type Trouble } from './faulty-cluster.ts';
import { type Answering, RawServer, tunnelTo } from './raw-server.ts';
import { tally } from './tally.ts';

const canary = 'canary-of-a-proxy';
const opened = 'HTTP/1.1 200 Connection established\r\n\r\n';
const says = (text: string) => (socket: Socket) => void socket.end(text);
/** Begins an answer, and goes on with it for as long as it is read. */
const drips = (begins: string, goesOn: string) => (socket: Socket) => {
  socket.write(begins);
  const drip = setInterval(() => socket.write(goesOn), 500);
  socket.once('close', () => clearInterval(drip));
};

// biome-ignore format: one row a line
const proxies: readonly (readonly [what: string, proxying: Answering, told: RegExp])[] = [
  ['wants a password', says('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), /it answered HTTP 407/],
  ['forbids the host', says('HTTP/1.1 403 Forbidden\r\n\r\n<html>no</html>'), /it answered HTTP 403/],
  ['does not reach the host', says('HTTP/1.1 502 Bad Gateway\r\n\r\n'), /it answered HTTP 502/],
  ['hangs up', (socket) => void socket.destroy(), /does not open a connection: socket hang up/],
  ['resets the connection', (socket) => void socket.resetAndDestroy(), /does not open a connection: .*ECONNRESET/],
  ['speaks another protocol', says('SSH-2.0-OpenSSH_9.6\r\n'), /does not open a connection: Parse Error/],
  ['is silent', () => undefined, /--request-timeout/],
  ['says a byte now and then', drips('HTTP/1.1 200 OK', ' '), /--request-timeout|does not open a connection/],
  ['says headers without end', drips('HTTP/1.1 200 OK\r\n', 'x: y\r\n'), /--request-timeout|does not open a connection/],
  ['answers with a page', says('HTTP/1.1 200 OK\r\n\r\n<html>Sign in</html>'), /cannot be reached/],
  ['opens a tunnel, and is silent', (socket) => void socket.write(opened), /--request-timeout/],
  ['opens a tunnel, and hangs up', says(opened), /cannot be reached/],
];

const cluster = TestCluster.startedOnce([stuckPod()]);
const folder = temporaryFolder('proxies');

/** Of a server that only a proxy reaches. */
function kubeconfigOf(): string {
  const { emulator } = cluster;
  const elsewhere = 'https://api.example.test:6443\n      tls-server-name: localhost';
  return fileIn(folder, 'kubeconfig', emulator.kubeconfig().replace(emulator.url, elsewhere));
}

const flags = ['--no-lock', '--min-age', '0s', '--log-level', 'error', '-o', 'json'];
const sweepBy = (env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  runHere([...flags, ...more, '--kubeconfig', kubeconfigOf()], env);

describe.concurrent('E2: a proxy of the environment that', () => {
  it.each(proxies)('%s: one line says so, and nothing stays open', async (what, proxying, told) => {
    const proxy = await RawServer.start(proxying, { once: true });
    const name = what.length % 2 === 0 ? 'HTTPS_PROXY' : 'https_proxy';
    const env = { [name]: `http://me:${canary}@${proxy.host}` };
    const run = await sweepBy(env, '--request-timeout', '2s');
    expect(run.exitCode).toBe(3);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(run.stderr).message).toMatch(told);
    expect(JSON.parse(run.stdout)).toMatchObject({ pods: [], unread: [{}] });
    expect(run.stdout + run.stderr).not.toContain(canary);
    expect(proxy.requests[0]).toMatch(/^CONNECT api\.example\.test:6443 HTTP\/1\.1\r\n/);
    await vi.waitFor(() => expect(proxy.open.size).toBe(0), { timeout: 2_000 });
    await proxy.stop();
    tally('faults', 'E2', 1);
  });
});

describe('E2: a proxy of the environment', () => {
  it.each(['HTTPS_PROXY', 'https_proxy'])('is used for everything that a sweep asks: %s', async (name) => {
    const proxy = await RawServer.start(tunnelTo(cluster.emulator.url), { once: true });
    cluster.emulator.world.placePods([stuckPod({ name: name.toLowerCase() === name ? 'lower' : 'upper' })]);
    const run = await sweepBy({ [name]: `http://${proxy.host}` });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout).totals.pods).toMatchObject({ Ended: expect.any(Number) });
    expect(new Set(proxy.requests.map((head) => head.split('\r\n')[0]))).toEqual(
      new Set(['CONNECT api.example.test:6443 HTTP/1.1']),
    );
    await proxy.stop();
    tally('faults', 'E2', 1);
  });

  it.each<readonly [title: string, env: Readonly<Record<string, string>>]>([
    ['NO_PROXY', { NO_PROXY: 'example.test' }],
    ['no_proxy', { no_proxy: '.example.test, 10.0.0.0/8' }],
    ['HTTP_PROXY alone', { HTTPS_PROXY: '', HTTP_PROXY: 'http://127.0.0.1:1' }],
    ['ALL_PROXY alone', { HTTPS_PROXY: '', ALL_PROXY: 'http://127.0.0.1:1' }],
  ])('is not asked because of %s', async (_title, env) => {
    const proxy = await RawServer.start(tunnelTo(cluster.emulator.url), { once: true });
    const run = await sweepBy({ HTTPS_PROXY: `http://${proxy.host}`, ...env }, '--request-timeout', '5s');
    // Without it, the host is unknown.
    expect(JSON.parse(run.stderr).message).toMatch(/the host name of .* is unknown|no answer/);
    expect(run.exitCode).toBe(3);
    expect(proxy.requests).toEqual([]);
    await proxy.stop();
    tally('faults', 'E2', 1);
  });
});

describe('E2: of the tunnels of a sweep,', () => {
  const broken = proxies.filter(([what]) =>
    ['does not reach the host', 'hangs up', 'resets the connection'].includes(what),
  );

  it.each(broken)('any one that a proxy %s for costs nothing', async (_what, breaks) => {
    const faulty = await FaultyCluster.start();
    const through = tunnelTo(faulty.emulator.url);
    const calm = await RawServer.start(through, { once: true });
    await faulty.play(behind(faulty, calm));
    const proxies = await Promise.all(
      calm.requests.map((_head, at) => {
        let index = 0;
        const proxying: Answering = (...asked) => (index++ === at ? breaks : through)(...asked);
        return RawServer.start(proxying, { once: true });
      }),
    );
    const cases = proxies.map((proxy) => behind(faulty, proxy));
    survive('E2', await playEach(faulty, cases), ({ report, exitCode }) => {
      expect(outcomesOf(report)).toEqual([0, 1, 2].map(() => ['Ended', 'Stopped']));
      expect(exitCode).toBe(0);
    });
    await faulty.stop();
    for (const proxy of [calm, ...proxies]) await proxy.stop();
  });
});

function behind({ emulator }: FaultyCluster, { host }: RawServer): Trouble {
  const { tokens, kubeconfig } = ownAccount(emulator);
  const proxied = kubeconfig.replace(emulator.url, `${emulator.url}\n      proxy-url: http://${host}`);
  return { account: { tokens, kubeconfig: proxied } };
}
