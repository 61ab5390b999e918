import type { Cluster, Connected, Events, LeaseRef, Leases, Notebook, Origins } from '../model/ports.ts';
import type { RetryTiming } from '../util/retry.ts';
import { type Millis, systemClock } from '../util/time.ts';
import type { Connection } from './auth/connection.ts';
import { Credentials, Secrets } from './auth/credentials.ts';
import { Transport } from './client/transport.ts';
import { listJobs, raiseBackoffLimit, readJob, readTemplate } from './objects/jobs.ts';
import {
  listKubelets,
  listNamespaces,
  listNodes,
  readNamespace,
  readNode,
  readVersion,
} from './objects/objects.ts';
import { findPods, listFailedPods, listJobPods, listPods, readLog, readPod } from './pods/read.ts';
import { addEphemeralContainer, deletePod, evict, setDeadline, swapImages } from './pods/write.ts';

export interface OpenCluster extends Cluster, Connected, Leases, Events, Origins {
  /** That of the context, or of the pod. */
  readonly namespace: string;
  awaited(): string | undefined;
  notebook(ref: LeaseRef): Notebook;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly pace?: RetryTiming;
  /** Shows a credential plugin's questions to the person at the terminal; undefined if there is none. */
  readonly prompt?: ((text: string) => void) | undefined;
}

/** Dials nothing yet, and asks for no credentials. */
export async function openCluster(
  connection: Connection,
  requestTimeout: Millis,
  { pace = { clock: systemClock, random: Math.random }, prompt }: OpenOptions = {},
): Promise<OpenCluster> {
  const { clock } = pace;
  const secrets = new Secrets();
  const { redact, learn } = secrets;
  const closed = new AbortController();
  const options = { limit: requestTimeout, clock, prompt, redact, learn };
  const credentials = new Credentials(connection, options, closed.signal);
  const transport = new Transport(connection, credentials, requestTimeout, pace, secrets);
  const on =
    <Args extends readonly unknown[], Result>(ask: (of: Transport, ...args: Args) => Result) =>
    (...args: Args) =>
      ask(transport, ...args);
  const leases = () => import('./objects/leases.ts');
  return {
    context: connection.context,
    namespace: connection.namespace,
    server: connection.server,
    warnings: connection.tls.insecure ? [{ kind: 'ServerUnverified', server: connection.server }] : [],
    findPods: on(findPods),
    listPods: on(listPods),
    listJobPods: on(listJobPods),
    listFailedPods: on(listFailedPods),
    readPod: on(readPod),
    readLog: on(readLog),
    readJob: on(readJob),
    listJobs: on(listJobs),
    readTemplate: on(readTemplate),
    readNamespace: on(readNamespace),
    listNamespaces: on(listNamespaces),
    readNode: on(readNode),
    listNodes: on(listNodes),
    listKubelets: on(listKubelets),
    readVersion: on(readVersion),
    swapImages: on(swapImages),
    addEphemeralContainer: on(addEphemeralContainer),
    setDeadline: on(setDeadline),
    evict: on(evict),
    deletePod: on(deletePod),
    raiseBackoffLimit: on(raiseBackoffLimit),
    // Modules that a scan does not need are loaded when they are first used.
    exec: async (...args) => (await import('./exec/exec.ts')).exec(transport, ...args),
    request: async (...args) => (await import('./exec/tunnel.ts')).requestThroughPod(transport, ...args),
    createLease: async (...args) => (await leases()).writeLease(transport, ...args),
    readLease: async (...args) => (await leases()).readLease(transport, ...args),
    updateLease: async (...args) => (await leases()).writeLease(transport, ...args),
    notebook: (ref) => ({
      read: async (...args) => (await leases()).readNotebook(transport, ref, ...args),
      write: async (...args) => (await leases()).writeNotebook(transport, ref, ...args),
    }),
    createEvent: async (...args) => (await import('./objects/typed.ts')).createEvent(transport, ...args),
    mayI: async (...args) => (await import('./objects/typed.ts')).mayI(transport, ...args),
    awaited: () => transport.awaited,
    close: async () => {
      closed.abort();
      transport.close();
    },
  };
}
