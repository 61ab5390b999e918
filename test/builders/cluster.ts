import type { Cluster } from '../../src/model/ports.ts';

/** A cluster with only these methods; calling any other fails the test. Pods that can be listed can be found. */
export function clusterWith(parts: Partial<Cluster>): Cluster {
  const unasked = (name: keyof Cluster) => (): never => {
    throw new Error(`unexpected call of ${name}`);
  };
  return {
    findPods: parts.listPods ?? unasked('findPods'),
    listPods: unasked('listPods'),
    readPod: unasked('readPod'),
    readJob: unasked('readJob'),
    listJobs: unasked('listJobs'),
    readNode: unasked('readNode'),
    listNodes: unasked('listNodes'),
    readNamespace: unasked('readNamespace'),
    listNamespaces: unasked('listNamespaces'),
    listJobPods: unasked('listJobPods'),
    listFailedPods: unasked('listFailedPods'),
    mayI: unasked('mayI'),
    readLog: unasked('readLog'),
    exec: unasked('exec'),
    request: unasked('request'),
    swapImages: unasked('swapImages'),
    addEphemeralContainer: unasked('addEphemeralContainer'),
    setDeadline: unasked('setDeadline'),
    evict: unasked('evict'),
    deletePod: unasked('deletePod'),
    raiseBackoffLimit: unasked('raiseBackoffLimit'),
    ...parts,
  };
}
