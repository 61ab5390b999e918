import type { Cluster } from '../../src/model/ports.ts';
import type { Problem } from '../../src/model/reading.ts';
import type { Slots } from '../../src/util/concurrency.ts';

/** A cluster with only these methods; calling any other fails the test. Pods that can be listed can be found. */
export function clusterWith(parts: Partial<Cluster>): Cluster {
  const { listPods } = parts;
  return new Proxy({ ...(listPods && { findPods: listPods }), ...parts } as Cluster, {
    get(target, name) {
      // An await of the cluster itself asks for `then`.
      if (name in target || typeof name === 'symbol' || name === 'then') return Reflect.get(target, name);
      return (): never => {
        throw new Error(`unexpected call of ${name}`);
      };
    },
  });
}

export function unreadable(kind: Problem['kind']) {
  return { kind: 'Unreadable', problem: { kind, message: `${kind}!` } } as const;
}

/** Slots of which there is always one, and how often one was taken. */
export class CountedSlots {
  taken = 0;

  constructor(private readonly slots: Slots = (work) => work()) {}

  readonly take: Slots = (work) => {
    this.taken++;
    return this.slots(work);
  };
}
