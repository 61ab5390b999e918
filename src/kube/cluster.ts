import type { KubeConfig } from '@kubernetes/client-node';
import type { Cluster } from '../ports.ts';
import type { Millis } from '../types.ts';
import { exec } from './exec.ts';
import { listPods } from './list-pods.ts';
import { readJob, readNode, readPod } from './read.ts';
import { Transport } from './transport.ts';

export interface OpenCluster extends Cluster {
  readonly context: string;
  readonly server: string;
  close(): Promise<void>;
}

/** The cluster of a configuration's current context. Throws ConfigError; dials nothing yet. */
export async function openCluster(config: KubeConfig, requestTimeout: Millis): Promise<OpenCluster> {
  const transport = await Transport.open(config, requestTimeout);
  return {
    context: config.getCurrentContext(),
    server: transport.server,
    listPods: (scope, signal) => listPods(transport, scope, signal),
    readPod: (ref, signal) => readPod(transport, ref, signal),
    readJob: (namespace, owner, signal) => readJob(transport, namespace, owner, signal),
    readNode: (name, signal) => readNode(transport, name, signal),
    exec: (ref, container, command, signal) =>
      exec(transport, ref, container, command, requestTimeout, signal),
    close: () => transport.close(),
  };
}
