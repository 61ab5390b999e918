import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { UsageError } from '../../util/usage-error.ts';
import type { Connection } from './connection.ts';
import { loadClientNode } from './kubeconfig.ts';
import { chooseProxy } from './urls.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether this process runs in a pod, with the token of its service account. */
export function isInPod({ KUBERNETES_SERVICE_HOST: host }: Env, root = ''): boolean {
  return Boolean(host) && existsSync(`${root}/var/run/secrets/kubernetes.io/serviceaccount/token`);
}

/** The connection of a pod's service account; its files are under another root in tests. Throws UsageError. */
export async function inCluster(env: Env, insecure: boolean, root = ''): Promise<Connection> {
  if (!isInPod(env, root)) {
    throw new UsageError(
      'no cluster to talk to: there is no ~/.kube/config and this is not a pod; name a kubeconfig with --kubeconfig or KUBECONFIG',
    );
  }
  const { KubeConfig } = await loadClientNode();
  const config = new KubeConfig();
  config.loadFromCluster(root);
  const ca = config.getCurrentCluster()?.caFile ?? '';
  // client-node uses plain http on the ports 80, 8080 and 8001, and would send the token over it; client-go never does.
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    context: config.getCurrentContext(),
    server,
    tls: { ca: insecure ? undefined : { kind: 'File', path: ca }, serverName: undefined, insecure },
    proxy: chooseProxy(new URL(server), undefined, env),
    user: { token: { kind: 'File', path: config.getCurrentUser()?.authProvider.config.tokenFile } },
  };
}
