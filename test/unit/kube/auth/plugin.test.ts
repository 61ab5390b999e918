import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  askPlugin,
  type PluginRun,
  parseExecCredential,
  runPlugin,
} from '../../../../src/kube/auth/plugin.ts';
import { temporaryFolder } from '../../../kit/started.ts';

const plugin = {
  command: 'aws',
  args: [],
  env: {},
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'Never',
  installHint: undefined,
  provideClusterInfo: false,
  clusterConfig: undefined,
} as const;

const base = { context: 'a', namespace: 'default', proxy: undefined, user: {}, isAwaited: false };

function parse(status: unknown, apiVersion: string = plugin.apiVersion) {
  return parseExecCredential(plugin, JSON.stringify({ kind: 'ExecCredential', apiVersion, status }));
}

it('a token, a certificate or both are read, and until when', () => {
  const expirationTimestamp = '2026-11-22T04:00:00Z';
  const expected = { token: 't', expires: Date.parse(expirationTimestamp) };
  expect(parse({ token: 't', expirationTimestamp })).toEqual(expected);
  const certificate = { cert: 'c', key: 'k' };
  expect(parse({ clientCertificateData: 'c', clientKeyData: 'k' })).toEqual({ certificate });
});

const beta = 'client.authentication.k8s.io/v1beta1';
const half = { token: 'secret', clientKeyData: 'k' };

it.each<readonly [what: string, parse: () => unknown, message: RegExp]>([
  ['prose', () => parseExecCredential(plugin, 'secret'), /something other than an ExecCredential/],
  ['another version', () => parse({ token: 'secret' }, beta), /another version/],
  ['half a certificate', () => parse(half), /only one of certificate and key/],
  ['nothing', () => parse({}), /neither a token nor a certificate/],
  ['no status', () => parse(undefined), /neither a token nor a certificate/],
  ['an empty token', () => parse({ token: '' }), /neither a token nor a certificate/],
])('an answer that cannot be used is never quoted: %s', (_what, act, message) => {
  expect(act).toThrow(message);
  expect(act).not.toThrow(/secret/);
});

const folder = temporaryFolder('plugin');

const options = { redact: (text: string) => text, limit: 30_000, prompt: undefined };

function run(script: string, more: Partial<PluginRun> = {}, abort = new AbortController().signal) {
  const env = { PATH: process.env['PATH'], FOLDER: folder };
  const plugin = { command: 'sh', args: ['-c', script], env, installHint: undefined };
  return runPlugin({ plugin, info: '{}', ...options, ...more }, abort);
}

it.each<readonly [what: string, more: object, spec: object]>([
  ['that no person can be asked', {}, { interactive: false }],
  ['that a person can be asked', { interactiveMode: 'IfAvailable' }, { interactive: true }],
  [
    'of its cluster, if it wants to know',
    { provideClusterInfo: true, clusterConfig: { a: 1 } },
    { interactive: false, cluster: { server: 'https://a', 'tls-server-name': 'b', config: { a: 1 } } },
  ],
])('a plugin is told %s', async (_what, more, spec) => {
  const echo = `{"kind":"ExecCredential","apiVersion":"${plugin.apiVersion}","status":{"token":"'$(printf %s "$KUBERNETES_EXEC_INFO" | base64 -w0)'"}}`;
  const env = { PATH: process.env['PATH'] };
  const own = { ...plugin, command: 'sh', args: ['-c', `echo '${echo}'`], env, ...more };
  const tls = { ca: undefined, serverName: 'b', insecure: false };
  const connection = { ...base, server: 'https://a', tls };
  const asked = { ...options, prompt: () => undefined };
  const { token = '' } = await askPlugin(own, connection, asked, new AbortController().signal);
  const told = { kind: 'ExecCredential', apiVersion: plugin.apiVersion, spec };
  expect(JSON.parse(Buffer.from(token, 'base64').toString())).toEqual(told);
});

async function hanging(name: string): Promise<number> {
  const file = join(folder, name);
  await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\n/), 60_000);
  return Number(readFileSync(file, 'utf8'));
}

/** Waits until a process is gone, or is waiting to be reaped by a parent of its own. */
async function ended(pid: number): Promise<void> {
  await vi.waitFor(() => {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : 'x) Z';
    expect(stat).toMatch(/\) [ZX]/);
  }, 60_000);
}

const hang = (name: string) => `sleep 600 & echo $! > $FOLDER/${name}; wait`;

it('a plugin that hangs is killed after its time limit, with its children', async () => {
  const result = run(hang('late'), { limit: 2_000 }).catch((error) => error.message);
  const child = await hanging('late');
  expect(await result).toBe('the credential plugin sh did not answer within 2s (--request-timeout)');
  await ended(child);
});

it('a plugin that hangs is killed at once if aborted, with its children', async () => {
  const stopping = new AbortController();
  const result = run(hang('stopped'), {}, stopping.signal).catch(() => 'ended');
  const child = await hanging('stopped');
  stopping.abort();
  expect(await result).toBe('ended');
  await ended(child);
});

describe('the error of a plugin that fails', () => {
  it('has nothing of what it wrote, be it to stdout or stderr, which may hold secrets', async () => {
    const message = 'the credential plugin sh exited with code 3: run its command by hand to see why';
    await expect(run('echo secret; echo secret >&2; exit 3')).rejects.toThrow(message);
  });

  it('says that it printed too much', async () => {
    await expect(run('yes')).rejects.toThrow('printed more than 1048576 bytes');
  });

  it('says how to install it', async () => {
    const plugin = { command: './nosuch', args: [], env: {}, installHint: 'get it\u001bfrom x' };
    const message = 'the credential plugin ./nosuch is not installed: get it from x';
    await expect(run('', { plugin })).rejects.toThrow(message);
  });
});

it('a person at the terminal sees what it asks, without control characters', async () => {
  const shown: string[] = [];
  await run(`printf 'code:\\033[2J 17\\n' >&2`, { prompt: (text) => shown.push(text) });
  expect(shown.join('')).toBe('code: [2J 17\n');
});

it('a person is not shown a token that was sent', async () => {
  const prompt = vi.fn();
  const redact = (text: string) => text.replaceAll('eyJ0', '[redacted]');
  await run('echo "still eyJ0?" >&2', { redact, prompt });
  expect(prompt.mock.calls.flat().join('')).toBe('still [redacted]?\n');
});
