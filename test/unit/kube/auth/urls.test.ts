import { expect, it } from 'vitest';
import { chooseProxy, parseServer } from '../../../../src/kube/auth/urls.ts';

const proxy = 'http://proxy.test:3128';

function usesProxy(server: string, noProxy: string): boolean {
  return chooseProxy(new URL(server), undefined, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) !== undefined;
}

// biome-ignore format: as many as fit on a line
it.each([
  ['https://api.test', 'api.test'], ['https://api.test', ' API.TEST '], ['https://api.test', '*'],
  ['https://a.api.test', 'api.test'], ['https://a.api.test', '.api.test'], ['https://a.api.test', '*.api.test'],
  ['https://api.test', 'other, *'], ['https://api.test', 'api.test:443'], ['https://api.test:6443', 'api.test:6443'],
  ['https://10.1.2.3', '10.1.2.3'], ['https://10.1.2.3:6443', '10.1.2.3:6443'], ['https://10.1.2.3', '10.0.0.0/8'],
  ['https://[2001:db8::1]', '2001:db8::1'], ['https://[2001:db8::1]', '[2001:db8::1]:443'],
  ['https://[2001:db8::1]', '2001:db8::/32'],
  ['https://localhost', ''], ['https://127.1.2.3', ''], ['https://[::1]', ''],
])('NO_PROXY exempts %s by "%s"', (server, noProxy) => {
  expect(usesProxy(server, noProxy)).toBe(false);
});

const inVain = ['', ',, ,', '.api.test', 'pi.test', 'api.test:6443', ':443', '10.0.0.0/8', '10.1.2.3'];
it.each<readonly [string, string]>([
  ...inVain.map((noProxy) => ['https://api.test', noProxy] as const),
  ['https://api.test', '*api.test'],
  ['https://10.1.2.3', '10.1.2.4'],
  ['https://10.1.2.3', '11.0.0.0/8'],
  ['https://10.1.2.3', '10.1.2.3/33'],
])('NO_PROXY does not exempt %s by "%s"', (server, noProxy) => {
  expect(usesProxy(server, noProxy)).toBe(true);
});

it('http and https have variables of their own, and capitals come first', () => {
  const [lower, upper] = [{ https_proxy: 'http://d' }, { HTTP_PROXY: 'http://a', HTTPS_PROXY: 'http://b' }];
  const env = { http_proxy: 'http://c', ...lower, ...upper };
  expect(chooseProxy(new URL('http://api.test'), undefined, env)?.host).toBe('a');
  expect(chooseProxy(new URL('https://api.test'), undefined, env)?.host).toBe('b');
  expect(chooseProxy(new URL('https://api.test'), undefined, { ...env, HTTPS_PROXY: '' })?.host).toBe('d');
});

it('proxy-url takes precedence over the environment, and applies to every host', () => {
  const env = { HTTPS_PROXY: proxy, NO_PROXY: '*' };
  expect(chooseProxy(new URL('https://localhost'), 'socks5://other.test', env)?.host).toBe('other.test');
});

it('a password that is not percent-encoded is a usage error that does not quote it', () => {
  expect(() => chooseProxy(new URL('https://a.test'), 'http://me:se%cret@x', {})).toThrow(
    'proxy-url of the kubeconfig has a password that is not percent-encoded',
  );
});

it('a bad URL is a usage error that does not quote it', () => {
  expect(() => chooseProxy(new URL('https://a.test'), 'http://me:secret@x:port', {})).toThrow(
    'proxy-url of the kubeconfig is not the URL of a proxy (http, https or socks5)',
  );
  for (const server of ['https://me:secret@host:port', 'https://me:%secret@host']) {
    expect(() => parseServer(server, 'the cluster "a"')).toThrow(
      /^the server of the cluster "a" (is not|has)/,
    );
    expect(() => parseServer(server, 'the cluster "a"')).not.toThrow(/secret/);
  }
});

it.each([
  ['https://127.0.0.1:6443/k8s?token=secret#secret', 'https://127.0.0.1:6443/k8s'],
  // Without trailing slashes.
  ['https://127.0.0.1:6443', 'https://127.0.0.1:6443'],
  ['https://127.0.0.1:6443//', 'https://127.0.0.1:6443'],
  ['https://rancher.example/k8s/clusters/me@home', 'https://rancher.example/k8s/clusters/me@home'],
  ['https://[::1]:6443', 'https://[::1]:6443'],
  // As in kubectl.
  ['localhost:8001', 'http://localhost:8001'],
])('the server URL %s is reported as %s', (server, told) => {
  expect(parseServer(server, 'the cluster').text).toBe(told);
});

it.each(['https://me:secret@127.0.0.1:6443', 'https://secret@127.0.0.1/k8s', 'http://:se@cret@127.0.0.1'])(
  'the server URL %s is refused for its login, which is not quoted',
  (server) => {
    expect(() => parseServer(server, 'the cluster')).toThrow(
      /^the server of the cluster has a user name or a password: use a token/,
    );
    expect(() => parseServer(server, 'the cluster')).not.toThrow(/secret/);
  },
);
