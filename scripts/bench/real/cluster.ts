import type { RequestOptions } from 'node:https';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import type { Where } from '../part.ts';

/** The cluster of the current kubeconfig. */
export interface RealCluster {
  readonly core: CoreV1Api;
  readonly where: Where;
}

export async function openRealCluster(): Promise<RealCluster> {
  const kubeconfigFile = process.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config');
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigFile);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error(`${kubeconfigFile} has no current context`);
  const { ca, cert, key, headers } = await connectionOf(config);
  const token = /^Bearer (.+)$/.exec(String(headers?.['Authorization']))?.[1];
  const access = {
    kubeconfig: kubeconfigFile,
    server,
    ca: String(ca ?? ''),
    ...(cert !== undefined && { cert: String(cert) }),
    ...(key !== undefined && { key: String(key) }),
    ...(token !== undefined && { token }),
  };
  return { core: config.makeApiClient(CoreV1Api), where: { access, kubeconfigFile } };
}

type Connection = Omit<RequestOptions, 'headers'> & { headers?: Record<string, unknown> };

/** What client-node makes of certificates, tokens and plugins. */
async function connectionOf(config: KubeConfig): Promise<Connection> {
  const options: Connection = {};
  await config.applyToHTTPSOptions(options as RequestOptions);
  return options;
}

/** How many pods the cluster has, without reading them. */
export async function countPods(core: CoreV1Api): Promise<number> {
  const { items, metadata } = await core.listPodForAllNamespaces({ limit: 1 });
  return items.length + (metadata?.remainingItemCount ?? 0);
}
