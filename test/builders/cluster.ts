import type { Cluster } from '../../src/model/ports.ts';

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
