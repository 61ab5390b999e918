import type { Cluster, ListPart } from '../model/ports.ts';
import { describeFault, type Fault, faultOf, type Problem } from '../model/reading.ts';
import type { Emit } from '../plan/sweep-event.ts';

type Calls = Omit<Cluster, 'findPods' | 'listPods'>;

/** The answers in place of an error. A write may have been sent before the error. */
const answers: { readonly [M in keyof Calls]: (fault: Fault) => Awaited<ReturnType<Calls[M]>> } = {
  readPod: unreadable,
  readJob: unreadable,
  listJobs: unreadable,
  readNode: unreadable,
  listNodes: unreadable,
  readNamespace: unreadable,
  listNamespaces: unreadable,
  readLog: unreadable,
  mayI: unreadable,
  listJobPods: unreadable,
  listFailedPods: unreadable,
  exec: unconfirmed,
  request: unconfirmed,
  swapImages: unconfirmed,
  addEphemeralContainer: unconfirmed,
  setDeadline: unconfirmed,
  evict: unconfirmed,
  deletePod: unconfirmed,
  raiseBackoffLimit: unconfirmed,
};

/** The port returns failures, but an implementation may throw, and one rejected promise would lose the outcomes of all other pods. */
export function catchFaults(cluster: Cluster, emit: Emit): Cluster {
  const report = (method: keyof Cluster, error: unknown): Fault => {
    const fault = faultOf(`calling ${method}`, error);
    emit({ kind: 'FaultFound', fault });
    return fault;
  };
  const calls = Object.entries(answers).map(([name, answer]) => {
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
  const list = (method: 'findPods' | 'listPods') =>
    async function* (...args: Parameters<Cluster['listPods']>): AsyncGenerator<ListPart, void> {
      try {
        yield* cluster[method](...args);
      } catch (error) {
        yield { kind: 'Failed', namespace: undefined, problem: problemOf(report(method, error)) };
      }
    };
  return { ...(Object.fromEntries(calls) as Calls), findPods: list('findPods'), listPods: list('listPods') };
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
