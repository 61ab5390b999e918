import { execFileSync } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../../../src/kube/auth/config.ts';
import { kubeconfigOf } from '../../../builders/kubeconfig.ts';
import { fileIn, temporaryFolder } from '../../../kit/started.ts';

/** What client-node 2.0.1 gets wrong. When one of these fails, our own code for it can go. */
const folder = temporaryFolder('client-node');
afterEach(() => vi.unstubAllEnvs());

const kubeconfig = (user: Readonly<Record<string, unknown>>, server = 'https://127.0.0.1:6443') =>
  JSON.stringify(kubeconfigOf({ server }, user));

let files = 0;
const write = (text: string) => fileIn(folder, `config-${++files}`, text);

function theirs(text: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(text);
  return config;
}

const ours = (text: string) => loadConfig({ kubeconfig: write(text), env: {} });

async function headersOf(config: KubeConfig): Promise<unknown> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options.headers;
}

describe('client-node', () => {
  it('ignores tokenFile', async () => {
    const text = kubeconfig({ tokenFile: write('t') });
    expect(await headersOf(theirs(text))).toEqual({});
    expect((await ours(text)).user.token).toMatchObject({ kind: 'File' });
  });

  it('ignores all of an impersonation but the user', async () => {
    const text = kubeconfig({ as: 'jane', 'as-groups': ['view'] });
    expect(await headersOf(theirs(text))).toEqual({ 'Impersonate-User': 'jane' });
    expect((await ours(text)).user.impersonated).toMatchObject({ user: 'jane', groups: ['view'] });
  });

  it.each([{ 'as-uid': '17' }, { 'as-user-extra': { scopes: ['view'] } }])('ignores %j', async (more) => {
    const text = kubeconfig({ as: 'jane', ...more });
    expect(await headersOf(theirs(text))).toEqual({ 'Impersonate-User': 'jane' });
    const field = Object.keys(more)[0];
    await expect(ours(text)).rejects.toThrow(`has ${field}, which sidecar-sweeper does not support`);
  });

  it.each([{ username: 'me' }, { password: 'secret' }])(
    'sends %j, which Kubernetes no longer accepts',
    async (login) => {
      await expect(ours(kubeconfig(login))).rejects.toThrow('has a user name or a password: use a token');
    },
  );

  it('sends a token that is a number', async () => {
    const text = kubeconfig({ token: 5 });
    expect(await headersOf(theirs(text))).toEqual({ Authorization: 'Bearer 5' });
    await expect(ours(text)).rejects.toThrow('users.0.user.token is not a string');
  });

  it('takes off a slash that belongs to the scheme', async () => {
    const text = kubeconfig({}, 'https://');
    expect(theirs(text).getCurrentCluster()?.server).toBe('https:/');
    await expect(ours(text)).rejects.toThrow('is not an http(s) URL');
  });

  it('refuses a name that two files have', async () => {
    const listed = [write(kubeconfig({ token: 'first' })), write(kubeconfig({ token: 'second' }))];
    vi.stubEnv('KUBECONFIG', listed.join(delimiter));
    expect(() => new KubeConfig().loadFromDefault()).toThrow('Duplicate cluster: a');
    const env = { KUBECONFIG: listed.join(delimiter) };
    expect((await loadConfig({ env })).user.token).toEqual({ kind: 'Text', text: 'first' });
  });

  it('speaks plain http to an API server on port 8080 of a pod', () => {
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '10.0.0.1');
    vi.stubEnv('KUBERNETES_SERVICE_PORT', '8080');
    const config = new KubeConfig();
    config.loadFromCluster();
    expect(config.getCurrentCluster()?.server).toBe('http://10.0.0.1:8080');
  });

  it('reads a file named by token-file, and would wait for a pipe', async () => {
    const text = kubeconfig({ 'token-file': write('read') });
    expect(theirs(text).getCurrentUser()?.token).toBe('read');
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect((await ours(kubeconfig({ 'token-file': pipe }))).user.token).toBeUndefined();
  });

  it('uses no proxy of the environment', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.test:3128');
    const text = kubeconfig({}, 'https://api.test');
    expect(theirs(text).getCurrentCluster()?.proxyUrl).toBeUndefined();
    const env = { HTTPS_PROXY: 'http://proxy.test:3128' };
    expect((await loadConfig({ kubeconfig: write(text), env })).proxy?.host).toBe('proxy.test:3128');
  });

  it('starts a credential plugin for each of several requests at once', async () => {
    const runs = join(folder, 'runs');
    const credential = JSON.stringify({ kind: 'ExecCredential', status: { token: 't' } });
    const exec = { command: 'sh', args: ['-c', `echo run >> ${runs}; echo '${credential}'`] };
    const config = theirs(kubeconfig({ exec }));
    await Promise.all([headersOf(config), headersOf(config), headersOf(config)]);
    // issuer.test.ts: ours runs once.
    expect(execFileSync('wc', ['-l', runs]).toString()).toMatch(/^\s*3 /);
  });

  it('cannot renew an OIDC token, because openid-client wants a URL and gets a text', async () => {
    const token = `e30.${Buffer.from('{"exp":1}').toString('base64url')}.x`;
    const tokens = { 'refresh-token': 'r', 'id-token': token };
    const config = { 'idp-issuer-url': 'https://127.0.0.1:9', 'client-id': 'c', ...tokens };
    const failing = headersOf(theirs(kubeconfig({ 'auth-provider': { name: 'oidc', config } })));
    await expect(failing).rejects.toThrow('"server" must be an instance of URL');
  });
});
