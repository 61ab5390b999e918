import type { PodName } from '../model/pod.ts';
import type { Cluster, ListPart } from '../model/ports.ts';
import type { Problem } from '../model/reading.ts';
import { describeFault, type Fault, faultOf } from '../model/reading.ts';
import type { Emit } from '../plan/sweep-event.ts';

/**
 * A cluster that never throws. The port says that failures are returned; whoever implements it may err, and
 * one rejected promise among many would take the outcomes of all other pods with it.
 */
export function faultless(cluster: Cluster, emit: Emit): Cluster {
  const found = (doing: string, error: unknown): Fault => {
    const fault = faultOf(doing, error);
    emit({ kind: 'FaultFound', fault });
    return fault;
  };
  const unless = async <T>(
    doing: string,
    work: () => Promise<T>,
    otherwise: (fault: Fault) => T,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      return otherwise(found(doing, error));
    }
  };
  return {
    findPods: (scope, abort) => listOrFail(() => cluster.findPods(scope, abort), found),
    listPods: (scope, abort, isWanted) => listOrFail(() => cluster.listPods(scope, abort, isWanted), found),
    readPod: (ref, abort) =>
      unless(`reading pod ${name(ref)}`, () => cluster.readPod(ref, abort), unreadable),
    readJob: (namespace, owner, abort) =>
      unless(
        `reading Job ${namespace}/${owner.name}`,
        () => cluster.readJob(namespace, owner, abort),
        unreadable,
      ),
    listJobs: (namespace, token, abort) =>
      unless(`listing the Jobs of ${namespace}`, () => cluster.listJobs(namespace, token, abort), unreadable),
    listNodes: (token, abort) => unless('listing nodes', () => cluster.listNodes(token, abort), unreadable),
    readNamespace: (namespace, abort) =>
      unless(`reading namespace ${namespace}`, () => cluster.readNamespace(namespace, abort), unreadable),
    listNamespaces: (selector, token, abort) =>
      unless('listing namespaces', () => cluster.listNamespaces(selector, token, abort), unreadable),
    readNode: (node, abort) =>
      unless(`reading node ${node}`, () => cluster.readNode(node, abort), unreadable),
    readLog: (ref, container, lines, abort) =>
      unless(
        `reading the log of ${container} in ${name(ref)}`,
        () => cluster.readLog(ref, container, lines, abort),
        unreadable,
      ),
    listJobPods: (namespace, owner, abort) =>
      unless(
        `listing the pods of Job ${namespace}/${owner.name}`,
        () => cluster.listJobPods(namespace, owner, abort),
        () => undefined,
      ),
    listFailedPods: (namespaces, abort) =>
      unless(
        'listing failed pods',
        () => cluster.listFailedPods(namespaces, abort),
        () => [],
      ),
    mayI: (permission, abort) =>
      unless('asking for a permission', () => cluster.mayI(permission, abort), unreadable),
    exec: (ref, container, command, abort) =>
      unless(`executing in ${name(ref)}`, () => cluster.exec(ref, container, command, abort), unconfirmed),
    request: (ref, request, abort) =>
      unless(`sending a request to ${name(ref)}`, () => cluster.request(ref, request, abort), unconfirmed),
    swapImages: (ref, swaps, options, abort) =>
      unless(
        `swapping images of ${name(ref)}`,
        () => cluster.swapImages(ref, swaps, options, abort),
        unconfirmed,
      ),
    addEphemeralContainer: (ref, container, abort, isStill) =>
      unless(
        `adding a container to ${name(ref)}`,
        () => cluster.addEphemeralContainer(ref, container, abort, isStill),
        unconfirmed,
      ),
    setDeadline: (ref, abort) =>
      unless(`setting the deadline of ${name(ref)}`, () => cluster.setDeadline(ref, abort), unconfirmed),
    evict: (ref, abort) => unless(`evicting ${name(ref)}`, () => cluster.evict(ref, abort), unconfirmed),
    deletePod: (ref, abort) =>
      unless(`deleting ${name(ref)}`, () => cluster.deletePod(ref, abort), unconfirmed),
    raiseBackoffLimit: (namespace, owner, raise, abort) =>
      unless(
        `raising the backoffLimit of Job ${namespace}/${owner.name}`,
        () => cluster.raiseBackoffLimit(namespace, owner, raise, abort),
        unconfirmed,
      ),
  };
}

/** Ends the list with a failure where it throws; what came before that is kept. */
async function* listOrFail(
  list: () => AsyncIterable<ListPart>,
  found: (doing: string, error: unknown) => Fault,
): AsyncIterable<ListPart> {
  try {
    yield* list();
  } catch (error) {
    yield { kind: 'Failed', namespace: undefined, problem: problemOf(found('listing pods', error)) };
  }
}

function name({ namespace, name }: PodName): string {
  return `${namespace}/${name}`;
}

function problemOf(fault: Fault): Problem {
  return { kind: 'InternalError', message: describeFault(fault) };
}

function unreadable(fault: Fault) {
  return { kind: 'Unreadable', problem: problemOf(fault) } as const;
}

/** Nobody knows whether the request was sent before the error. */
function unconfirmed(fault: Fault) {
  return { kind: 'Unconfirmed', message: describeFault(fault) } as const;
}
