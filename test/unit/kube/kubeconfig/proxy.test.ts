import { describe, expect, it } from 'vitest';
import { chooseProxy } from '../../../../src/kube/kubeconfig/proxy.ts';

const proxy = 'http://proxy.test:3128';

function usesProxy(server: string, noProxy: string): boolean {
  return chooseProxy(new URL(server), undefined, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) !== undefined;
}

describe('NO_PROXY exempts', () => {
  it.each([
    ['https://api.test', 'api.test'],
    ['https://api.test', ' API.TEST '],
    ['https://a.api.test', 'api.test'],
    ['https://a.api.test', '.api.test'],
    ['https://a.api.test', '*.api.test'],
    ['https://api.test', '*'],
    ['https://api.test', 'other, *'],
    ['https://api.test', 'api.test:443'],
    ['https://api.test:6443', 'api.test:6443'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://10.1.2.3:6443', '10.1.2.3:6443'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://[2001:db8::1]', '2001:db8::1'],
    ['https://[2001:db8::1]', '[2001:db8::1]:443'],
    ['https://[2001:db8::1]', '2001:db8::/32'],
    ['https://localhost', ''],
    ['https://127.1.2.3', ''],
    ['https://[::1]', ''],
  ])('%s by "%s"', (server, noProxy) => {
    expect(usesProxy(server, noProxy)).toBe(false);
  });
});

describe('NO_PROXY does not exempt', () => {
  it.each([
    ['https://api.test', ''],
    ['https://api.test', ',, ,'],
    ['https://api.test', '.api.test'],
    ['https://api.test', 'pi.test'],
    ['https://api.test', 'api.test:6443'],
    ['https://api.test', ':443'],
    ['https://10.1.2.3', '10.1.2.4'],
    ['https://10.1.2.3', '11.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.3/33'],
    ['https://api.test', '10.0.0.0/8'],
    ['https://api.test', '10.1.2.3'],
  ])('%s by "%s"', (server, noProxy) => {
    expect(usesProxy(server, noProxy)).toBe(true);
  });
});

it('http and https have variables of their own, and capitals come first', () => {
  const env = {
    HTTP_PROXY: 'http://a',
    HTTPS_PROXY: 'http://b',
    http_proxy: 'http://c',
    https_proxy: 'http://d',
  };
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

it.each(['ftp://me:secret@x', 'http://me:secret@', 'me:secret', 'http://me:secret@x:port'])(
  'a bad URL is a usage error that does not quote it: %s',
  (url) => {
    expect(() => chooseProxy(new URL('https://a.test'), url, {})).toThrow(
      'proxy-url of the kubeconfig is not the URL of a proxy (http, https or socks5)',
    );
  },
);
