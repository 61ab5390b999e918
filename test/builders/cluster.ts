import type { Cluster } from '../../src/ports.ts';

/** A cluster of which only these parts may be asked: anything else fails the test. */
export function clusterWith(parts: Partial<Cluster>): Cluster {
  const unasked = (name: keyof Cluster) => (): never => {
    throw new Error(`${name} was not to be asked`);
  };
  return {
    listPods: unasked('listPods'),
    readPod: unasked('readPod'),
    readJob: unasked('readJob'),
    readNode: unasked('readNode'),
    listFailedPods: unasked('listFailedPods'),
    mayI: unasked('mayI'),
    exec: unasked('exec'),
    request: unasked('request'),
    swapImages: unasked('swapImages'),
    addEphemeralContainer: unasked('addEphemeralContainer'),
    setDeadline: unasked('setDeadline'),
    evict: unasked('evict'),
    deletePod: unasked('deletePod'),
    ...parts,
  };
}
