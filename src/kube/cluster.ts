import type { KubeConfig } from '@kubernetes/client-node';
import type { Cluster, Events, Leases } from '../ports.ts';
import type { Millis } from '../vocabulary.ts';
import { mayI } from './access.ts';
import { createEvent } from './event.ts';
import { exec } from './exec.ts';
import { createLease, readLease, updateLease } from './lease.ts';
import { listPods } from './list-pods.ts';
import { listFailedPods, readJob, readNode, readPod } from './read.ts';
import { Transport } from './transport.ts';
import { requestThroughPod } from './tunnel.ts';
import { addEphemeralContainer, deletePod, evict, setDeadline, swapImages } from './write.ts';

export interface OpenCluster extends Cluster, Leases, Events {
  readonly context: string;
  readonly server: string;
  close(): Promise<void>;
}

/** The cluster of a configuration's current context. Throws UsageError; dials nothing yet. */
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
    createLease: (ref, lease, signal) => createLease(transport, ref, lease, signal),
    readLease: (ref, signal) => readLease(transport, ref, signal),
    updateLease: (ref, lease, signal) => updateLease(transport, ref, lease, signal),
    createEvent: (event, signal) => createEvent(transport, event, signal),
    listFailedPods: (namespaces, signal) => listFailedPods(transport, namespaces, signal),
    mayI: (access, signal) => mayI(transport, access, signal),
    request: (ref, request, signal) => requestThroughPod(transport, ref, request, requestTimeout, signal),
    swapImages: (ref, swaps, signal) => swapImages(transport, ref, swaps, signal),
    addEphemeralContainer: (ref, container, signal) =>
      addEphemeralContainer(transport, ref, container, signal),
    setDeadline: (ref, signal) => setDeadline(transport, ref, signal),
    evict: (ref, signal) => evict(transport, ref, signal),
    deletePod: (ref, signal) => deletePod(transport, ref, signal),
    close: () => transport.close(),
  };
}
