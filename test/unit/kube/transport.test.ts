import { KubeConfig } from '@kubernetes/client-node';
import { describe, expect, it } from 'vitest';
import { Transport } from '../../../src/kube/transport.ts';

/** The server URL of a transport for this kubeconfig server. */
async function serverOf(server: string): Promise<string> {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'a', server, skipTLSVerify: true }],
    users: [{ name: 'a', token: 'c2VjcmV0LXRva2Vu' }],
    contexts: [{ name: 'a', cluster: 'a', user: 'a' }],
    currentContext: 'a',
  });
  const transport = await Transport.open(config, 1_000);
  await transport.close();
  return transport.server;
}

describe('the server URL is reported', () => {
  it.each([
    ['https://me:secret@127.0.0.1:6443', 'https://127.0.0.1:6443'],
    ['https://secret@127.0.0.1:6443/', 'https://127.0.0.1:6443'],
    ['https://me:se@cret@127.0.0.1/k8s/clusters/c-1', 'https://127.0.0.1/k8s/clusters/c-1'],
    ['http://me:secret@127.0.0.1:8001', 'http://127.0.0.1:8001'],
  ])('without the password in %s', async (server, told) => {
    expect(await serverOf(server)).toBe(told);
  });

  it.each([
    ['https://127.0.0.1:6443', 'https://127.0.0.1:6443'],
    ['https://127.0.0.1:6443//', 'https://127.0.0.1:6443'],
    ['https://rancher.example/k8s/clusters/me@home', 'https://rancher.example/k8s/clusters/me@home'],
    ['https://[::1]:6443', 'https://[::1]:6443'],
  ])('unchanged, without trailing slashes: %s', async (server, told) => {
    expect(await serverOf(server)).toBe(told);
  });
});
