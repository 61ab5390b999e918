import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { UsageError } from '../../usage-error.ts';
import type { Connection } from './connection.ts';
import { chooseProxy } from './proxy.ts';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

type Env = Readonly<Record<string, string | undefined>>;

/** Whether this process runs in a pod, with the token of its service account. */
export function isInPod({ KUBERNETES_SERVICE_HOST: host }: Env): boolean {
  return Boolean(host) && existsSync(`${folder}/token`);
}

/** The connection of a pod's service account. Throws UsageError. */
export function inCluster(env: Env, insecure: boolean): Connection {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (!isInPod(env)) {
    throw new UsageError(
      'no cluster to talk to: there is no ~/.kube/config and this is not a pod; name a kubeconfig with --kubeconfig or KUBECONFIG',
    );
  }
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return {
    context: 'inClusterContext',
    server,
    tls: {
      ca: insecure ? undefined : { kind: 'File', path: `${folder}/ca.crt` },
      serverName: undefined,
      insecure,
    },
    proxy: chooseProxy(new URL(server), undefined, env),
    user: { token: { kind: 'File', path: `${folder}/token` } },
  };
}
