import type { OpenCluster } from '../../src/kube/cluster.ts';
import { collect, unstopped } from './raw-server.ts';

export type Calls = Readonly<Record<string, (cluster: OpenCluster) => Promise<unknown>>>;

const everywhere = { namespaces: [], labelSelector: undefined };
const ref = { namespace: 'demo', name: 'pod', uid: 'uid-1' };
const owner = { group: 'batch', kind: 'Job', name: 'job', uid: 'uid-2' };
const cronJob = { kind: 'CronJob', name: 'job', uid: 'uid-3' } as const;
const lease = { namespace: 'demo', name: 'lease' };
const written = { holder: 'me', duration: 1_000, renewedAt: 0, resourceVersion: '1' };
const asked = { method: 'POST', port: 15_020, path: '/quit', headers: {}, statuses: [] };

/** How many pods there are, or why that is unknown. */
async function listed(parts: ReturnType<OpenCluster['findPods']>): Promise<string> {
  const { uids, problem } = await collect(parts);
  return problem?.kind ?? `${uids.length} pods`;
}

export const reads: Calls = {
  'the list that finds pods': (cluster) => listed(cluster.findPods(everywhere, unstopped)),
  'the list of pods that are awaited': (cluster) => listed(cluster.listPods(everywhere, unstopped)),
  'the pods of a Job': (cluster) => cluster.listJobPods('demo', owner, unstopped),
  'a pod': (cluster) => cluster.readPod(ref, unstopped),
  'a pod by its name': (cluster) => cluster.readPod({ namespace: 'demo', name: 'pod' }, unstopped),
  'a Job': (cluster) => cluster.readJob('demo', owner, unstopped),
  Jobs: (cluster) => cluster.listJobs('demo', undefined, unstopped),
  'a namespace': (cluster) => cluster.readNamespace('demo', unstopped),
  namespaces: (cluster) => cluster.listNamespaces('team=a', undefined, unstopped),
  'a node': (cluster) => cluster.readNode('node', unstopped),
  nodes: (cluster) => cluster.listNodes(undefined, unstopped),
  kubelets: (cluster) => cluster.listKubelets(unstopped),
  'the template of a CronJob': (cluster) => cluster.readTemplate('demo', cronJob, unstopped),
  'a permission': (cluster) => cluster.mayI({ verb: 'list', group: '', resource: 'pods' }, unstopped),
  'a lease': (cluster) => cluster.readLease(lease, unstopped),
};

export const renewal: Calls = {
  'a renewed lease': (cluster) => cluster.updateLease(lease, written, unstopped),
};

export const writes: Calls = {
  ...renewal,
  'a new lease': (cluster) => cluster.createLease(lease, written, unstopped),
  'a deletion': (cluster) => cluster.deletePod(ref, unstopped),
  'an eviction': (cluster) => cluster.evict(ref, unstopped),
  'a patch': (cluster) => cluster.setDeadline(ref, unstopped),
};

/** More than one request each. */
export const steps: Calls = {
  'an image swap': (cluster) =>
    cluster.swapImages(ref, [{ container: 'sidecar', image: 'noop' }], { dryRun: false }, unstopped),
  'an exec': (cluster) => cluster.exec(ref, 'sidecar', ['kill', '1'], unstopped),
  'a port-forward': (cluster) => cluster.request(ref, asked, unstopped),
};

/** What came of each call, of which these kinds were not expected. */
export async function unexpected(
  calls: Calls,
  cluster: OpenCluster,
  expected: readonly unknown[],
): Promise<readonly string[]> {
  const results = Object.entries(calls).map(async ([what, call]) => {
    const result = await call(cluster);
    const kind = typeof result === 'object' ? Object(result).kind : result;
    return expected.includes(kind) ? [] : [`${what}: ${kind}`];
  });
  return (await Promise.all(results)).flat();
}
