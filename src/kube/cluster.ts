import type { KubeConfig } from '@kubernetes/client-node';
import type { Millis } from '../duration.ts';
import type { Pace } from '../patience.ts';
import type { Cluster, Events, LeaseRef, Leases, Notebook } from '../ports.ts';
import { mayI } from './access.ts';
import { createEvent } from './event.ts';
import { exec } from './exec.ts';
import { listFailedPods } from './failed-pods.ts';
import { listJobPods } from './job-pods.ts';
import { createLease, readLease, updateLease } from './lease.ts';
import { listPods } from './list-pods.ts';
import { openNotebook } from './notebook.ts';
import { raiseBackoffLimit } from './raise-limit.ts';
import { readJob } from './read-job.ts';
import { readLog } from './read-log.ts';
import { readNode } from './read-node.ts';
import { readPod } from './read-pod.ts';
import { Transport } from './transport.ts';
import { requestThroughPod } from './tunnel.ts';
import { addEphemeralContainer, deletePod, evict, setDeadline, swapImages } from './write.ts';

export interface OpenCluster extends Cluster, Leases, Events {
  readonly context: string;
  readonly server: string;
  notebook(ref: LeaseRef): Notebook;
  close(): Promise<void>;
}

/** The cluster of a configuration's current context. Throws UsageError; dials nothing yet. */
export async function openCluster(
  config: KubeConfig,
  requestTimeout: Millis,
  pace?: Pace,
): Promise<OpenCluster> {
  const transport = await Transport.open(config, requestTimeout, pace);
  return {
    context: config.getCurrentContext(),
    server: transport.server,
    listPods: (scope, abort) => listPods(transport, scope, abort),
    readPod: (ref, abort) => readPod(transport, ref, abort),
    readJob: (namespace, owner, abort) => readJob(transport, namespace, owner, abort),
    readNode: (name, abort) => readNode(transport, name, abort),
    readLog: (ref, container, lines, abort) => readLog(transport, ref, container, lines, abort),
    exec: (ref, container, command, abort) => exec(transport, ref, container, command, requestTimeout, abort),
    createLease: (ref, lease, abort) => createLease(transport, ref, lease, abort),
    readLease: (ref, abort) => readLease(transport, ref, abort),
    updateLease: (ref, lease, abort) => updateLease(transport, ref, lease, abort),
    createEvent: (event, abort) => createEvent(transport, event, abort),
    listJobPods: (namespace, owner, abort) => listJobPods(transport, namespace, owner, abort),
    listFailedPods: (namespaces, abort) => listFailedPods(transport, namespaces, abort),
    mayI: (access, abort) => mayI(transport, access, abort),
    request: (ref, request, abort) => requestThroughPod(transport, ref, request, requestTimeout, abort),
    swapImages: (ref, swaps, options, abort) => swapImages(transport, ref, swaps, options, abort),
    addEphemeralContainer: (ref, container, abort) => addEphemeralContainer(transport, ref, container, abort),
    setDeadline: (ref, abort) => setDeadline(transport, ref, abort),
    evict: (ref, abort) => evict(transport, ref, abort),
    deletePod: (ref, abort) => deletePod(transport, ref, abort),
    raiseBackoffLimit: (namespace, owner, raise, abort) =>
      raiseBackoffLimit(transport, namespace, owner, raise, abort),
    notebook: (ref) => openNotebook(transport, ref),
    close: () => transport.close(),
  };
}
