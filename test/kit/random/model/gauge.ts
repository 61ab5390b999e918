import type { Cluster } from '../../../../src/model/ports.ts';

/** Counts how many requests of one sweep are in flight at once, apart from what the sweep itself counts. */
export class Gauge {
  #now = 0;
  #nowThroughNode = 0;
  most = 0;
  /** All pods are on one node, whose kubelet answers these. */
  mostThroughNode = 0;

  /** The same cluster; each request and its answer take as long on their way as `travel` says. */
  on(cluster: Cluster, travel: (about: unknown) => Promise<void>): Cluster {
    return new Proxy(cluster, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        // Pages are read one after the other.
        if (lists.includes(String(name))) return member.bind(target);
        const isForKubelet = throughNode.includes(String(name));
        return async (...args: unknown[]) => {
          this.most = Math.max(this.most, ++this.#now);
          if (isForKubelet) this.mostThroughNode = Math.max(this.mostThroughNode, ++this.#nowThroughNode);
          try {
            await travel(args[0]);
            return await member.apply(target, args);
          } finally {
            await travel(args[0]);
            this.#now--;
            if (isForKubelet) this.#nowThroughNode--;
          }
        };
      },
    });
  }
}

const throughNode = ['exec', 'request', 'readLog'];
const lists = ['findPods', 'listPods'];
