import { describe, expect, it } from 'vitest';
import { parseServer } from '../../../../src/kube/kubeconfig/server-url.ts';

describe('the server URL is reported', () => {
  it.each([
    ['https://me:secret@127.0.0.1:6443', 'https://127.0.0.1:6443'],
    ['https://secret@127.0.0.1:6443/', 'https://127.0.0.1:6443'],
    ['https://me:se@cret@127.0.0.1/k8s/clusters/c-1', 'https://127.0.0.1/k8s/clusters/c-1'],
    ['http://me:secret@127.0.0.1:8001', 'http://127.0.0.1:8001'],
    ['https://127.0.0.1:6443/k8s?token=secret#secret', 'https://127.0.0.1:6443/k8s'],
  ])('without the password in %s', (server, told) => {
    expect(parseServer(server, 'the cluster').text).toBe(told);
  });

  it.each([
    ['https://127.0.0.1:6443', 'https://127.0.0.1:6443'],
    ['https://127.0.0.1:6443//', 'https://127.0.0.1:6443'],
    ['https://rancher.example/k8s/clusters/me@home', 'https://rancher.example/k8s/clusters/me@home'],
    ['https://[::1]:6443', 'https://[::1]:6443'],
  ])('unchanged, without trailing slashes: %s', (server, told) => {
    expect(parseServer(server, 'the cluster').text).toBe(told);
  });
});

it('a password in the URL authenticates', () => {
  expect(parseServer('https://me:p%40ss@127.0.0.1', 'the cluster').basic).toEqual({
    username: 'me',
    password: 'p@ss',
  });
});

it('its scheme may be in capitals', () => {
  expect(parseServer('HTTPS://me:secret@Node.example:6443', 'the cluster').text).toBe(
    'https://Node.example:6443',
  );
});

it('without a scheme, it is plain http, as in kubectl', () => {
  expect(parseServer('localhost:8001', 'the cluster').text).toBe('http://localhost:8001');
});

it.each([
  'https://me:secret@',
  'https://me:secret@host:port',
  'https://me:secret@ho st',
  'ftp://me:secret@host',
  'https://me:%secret@host',
  'https://',
  'https://secret\\@',
])('a bad URL is a usage error that does not quote it: %s', (server) => {
  expect(() => parseServer(server, 'the cluster "a"')).toThrow(/^the server of the cluster "a" (is not|has)/);
  expect(() => parseServer(server, 'the cluster "a"')).not.toThrow(/secret/);
});
