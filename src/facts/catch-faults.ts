import type { Cluster, ListPart } from '../model/ports.ts';
import { describeFault, type Fault, faultOf, type Problem } from '../model/reading.ts';
import type { Emit } from '../plan/sweep-event.ts';

type Lists = 'findPods' | 'listPods';
type Calls = Omit<Cluster, Lists>;
type AnswerOf<M extends keyof Calls> = Awaited<ReturnType<Calls[M]>>;

/** The answers in place of an error. A write may have been sent before the error. */
const answers: { readonly [M in keyof Calls]: (fault: Fault) => AnswerOf<M> } = {
  readPod: unreadable,
  readJob: unreadable,
  listJobs: unreadable,
  readNode: unreadable,
  listNodes: unreadable,
  readNamespace: unreadable,
  listNamespaces: unreadable,
  readLog: unreadable,
  mayI: unreadable,
  listJobPods: () => undefined,
  listFailedPods: () => [],
  exec: unconfirmed,
  request: unconfirmed,
  swapImages: unconfirmed,
  addEphemeralContainer: unconfirmed,
  setDeadline: unconfirmed,
  evict: unconfirmed,
  deletePod: unconfirmed,
  raiseBackoffLimit: unconfirmed,
};

/**
 * A cluster that never throws. The port says that failures are returned, but implementations may throw, and one rejected promise
 * among many would lose the outcomes of all other pods.
 */
export function catchFaults(cluster: Cluster, emit: Emit): Cluster {
  const report = (method: keyof Cluster, error: unknown): Fault => {
    const fault = faultOf(`calling ${method}`, error);
    emit({ kind: 'FaultFound', fault });
    return fault;
  };
  const caught = Object.entries(answers).map(([name, answer]) => {
    const method = name as keyof Calls;
    const call = cluster[method] as (...args: unknown[]) => Promise<unknown>;
    const safely = async (...args: unknown[]) => {
      try {
        return await call.apply(cluster, args);
      } catch (error) {
        return answer(report(method, error));
      }
    };
    return [method, safely];
  });
  return {
    ...(Object.fromEntries(caught) as Calls),
    findPods: (...args) => listOrFail(() => cluster.findPods(...args), 'findPods', report),
    listPods: (...args) => listOrFail(() => cluster.listPods(...args), 'listPods', report),
  };
}

/** Ends the list with a failure where it throws; the parts before that are kept. */
async function* listOrFail(
  list: () => AsyncIterable<ListPart>,
  method: Lists,
  report: (method: Lists, error: unknown) => Fault,
): AsyncIterable<ListPart> {
  try {
    yield* list();
  } catch (error) {
    yield { kind: 'Failed', namespace: undefined, problem: problemOf(report(method, error)) };
  }
}

function problemOf(fault: Fault): Problem {
  return { kind: 'InternalError', message: describeFault(fault) };
}

function unreadable(fault: Fault) {
  return { kind: 'Unreadable', problem: problemOf(fault) } as const;
}

function unconfirmed(fault: Fault) {
  return { kind: 'Unconfirmed', message: describeFault(fault) } as const;
}
