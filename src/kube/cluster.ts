import type { Cluster, Events, LeaseRef, Leases, Notebook, Origins } from '../model/ports.ts';
import type { Warning } from '../model/warning.ts';
import type { RetryTiming } from '../util/retry.ts';
import { type Millis, systemClock } from '../util/time.ts';
import type { Connection } from './auth/connection.ts';
import { Credentials } from './auth/credentials.ts';
import { issuerOf } from './auth/issuer.ts';
import { Secrets } from './client/secrets.ts';
import { Transport } from './client/transport.ts';
import { mayI } from './objects/access.ts';
import { createEvent } from './objects/events.ts';
import { listJobs, raiseBackoffLimit, readJob, readTemplate } from './objects/jobs.ts';
import { createLease, openNotebook, readLease, updateLease } from './objects/leases.ts';
import { listNamespaces, readNamespace } from './objects/namespaces.ts';
import { listKubelets, listNodes, readNode, readVersion } from './objects/nodes.ts';
import { readPod } from './pods/answer.ts';
import { findPods, listFailedPods, listJobPods, listPods } from './pods/list.ts';
import { readLog } from './pods/log.ts';
import { addEphemeralContainer, deletePod, evict, setDeadline, swapImages } from './pods/write.ts';

export interface OpenCluster extends Cluster, Leases, Events, Origins {
  readonly context: string;
  readonly server: string;
  /** What an operator should know of the connection, whatever it is used for. */
  readonly warnings: readonly Warning[];
  /** What is being waited for, if the server has been asked and has not answered yet. */
  awaited(): string | undefined;
  /** The most connections to it that were open at once. */
  mostConnections(): number;
  notebook(ref: LeaseRef): Notebook;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** With which clock and which chance requests are tried again. */
  readonly pace?: RetryTiming;
  /** Shows a credential plugin's questions to the person at the terminal; undefined if there is none. */
  readonly prompt?: ((text: string) => void) | undefined;
}

/** The cluster at the other end of a connection. Dials nothing yet, and asks for no credentials. */
export async function openCluster(
  connection: Connection,
  requestTimeout: Millis,
  { pace = { clock: systemClock, random: Math.random }, prompt }: OpenOptions = {},
): Promise<OpenCluster> {
  const { clock } = pace;
  const secrets = new Secrets();
  const { redact, learn } = secrets;
  const issuer = issuerOf(connection, { limit: requestTimeout, clock, prompt, redact, learn });
  const credentials = new Credentials(connection, issuer, requestTimeout, clock, redact);
  const transport = new Transport(connection, credentials, requestTimeout, pace, secrets);
  return {
    context: connection.context,
    server: connection.server,
    warnings: connection.tls.insecure ? [{ kind: 'ServerUnverified', server: connection.server }] : [],
    findPods: (scope, abort) => findPods(transport, scope, abort),
    listPods: (scope, abort, isWanted) => listPods(transport, scope, abort, isWanted),
    readPod: (ref, abort) => readPod(transport, ref, abort),
    readJob: (namespace, owner, abort) => readJob(transport, namespace, owner, abort),
    listJobs: (namespace, token, abort) => listJobs(transport, namespace, token, abort),
    readNamespace: (name, abort) => readNamespace(transport, name, abort),
    listNamespaces: (selector, token, abort) => listNamespaces(transport, selector, token, abort),
    readNode: (name, abort) => readNode(transport, name, abort),
    listNodes: (token, abort) => listNodes(transport, token, abort),
    readTemplate: (namespace, owner, abort) => readTemplate(transport, namespace, owner, abort),
    readVersion: (abort) => readVersion(transport, abort),
    listKubelets: (abort) => listKubelets(transport, abort),
    readLog: (ref, container, lines, abort) => readLog(transport, ref, container, lines, abort),
    // What speaks over WebSockets is loaded when it is needed: a scan needs none.
    async exec(ref, container, command, abort) {
      const { exec } = await import('./exec/exec.ts');
      return exec(transport, ref, container, command, requestTimeout, abort);
    },
    createLease: (ref, lease, abort) => createLease(transport, ref, lease, abort),
    readLease: (ref, abort) => readLease(transport, ref, abort),
    updateLease: (ref, lease, abort) => updateLease(transport, ref, lease, abort),
    createEvent: (event, abort) => createEvent(transport, event, abort),
    listJobPods: (namespace, owner, abort) => listJobPods(transport, namespace, owner, abort),
    listFailedPods: (namespaces, abort) => listFailedPods(transport, namespaces, abort),
    mayI: (access, abort) => mayI(transport, access, abort),
    async request(ref, request, abort) {
      const { requestThroughPod } = await import('./exec/tunnel.ts');
      return requestThroughPod(transport, ref, request, requestTimeout, abort);
    },
    swapImages: (ref, swaps, options, abort) => swapImages(transport, ref, swaps, options, abort),
    addEphemeralContainer: (ref, container, abort, isStill) =>
      addEphemeralContainer(transport, ref, container, abort, isStill),
    setDeadline: (ref, abort) => setDeadline(transport, ref, abort),
    evict: (ref, abort) => evict(transport, ref, abort),
    deletePod: (ref, abort) => deletePod(transport, ref, abort),
    raiseBackoffLimit: (namespace, owner, raise, abort) =>
      raiseBackoffLimit(transport, namespace, owner, raise, abort),
    awaited: () => transport.awaited,
    mostConnections: () => transport.mostConnections,
    notebook: (ref) => openNotebook(transport, ref),
    close: () => transport.close(),
  };
}
