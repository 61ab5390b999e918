import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenCluster } from '../../src/kube/cluster.ts';
import { almostLists, nothing } from './bodies.ts';
import { collect, openAt, RawServer, unstopped, wire } from './raw-server.ts';
import { tally } from './tally.ts';

let server: RawServer;
let cluster: OpenCluster;
let answer = wire('');
beforeAll(async () => {
  server = await RawServer.start((socket) => socket.write(answer));
  cluster = await openAt(server.url);
});
afterAll(async () => {
  await cluster.close();
  await server.stop();
});

const everywhere = { namespaces: [], labelSelector: undefined };
const ref = { namespace: 'demo', name: 'pod', uid: 'uid-1' };
const owner = { group: 'batch', kind: 'Job', name: 'job', uid: 'uid-2' };
const lease = { namespace: 'demo', name: 'lease' };
const written = { holder: 'me', duration: 1_000, renewedAt: 0, resourceVersion: '1' };

/** What comes of a list of pods: how many there are, or why that is unknown. */
async function listed(parts: ReturnType<OpenCluster['findPods']>): Promise<string> {
  const { uids, problem } = await collect(parts);
  return problem?.kind ?? `${uids.length} pods`;
}

const lists: Readonly<Record<string, () => Promise<unknown>>> = {
  'the list that finds pods': () => listed(cluster.findPods(everywhere, unstopped)),
  'the list of pods that are awaited': () => listed(cluster.listPods(everywhere, unstopped)),
  'the pods of a Job': () => cluster.listJobPods('demo', owner, unstopped),
};

/** Reads of one object, or of a list of other objects, and writes of a lease. */
const reads: Readonly<Record<string, () => Promise<unknown>>> = {
  'a pod': () => cluster.readPod(ref, unstopped),
  'a pod by its name': () => cluster.readPod({ namespace: 'demo', name: 'pod' }, unstopped),
  'a Job': () => cluster.readJob('demo', owner, unstopped),
  Jobs: () => cluster.listJobs('demo', undefined, unstopped),
  'a namespace': () => cluster.readNamespace('demo', unstopped),
  namespaces: () => cluster.listNamespaces('team=a', undefined, unstopped),
  'a node': () => cluster.readNode('node', unstopped),
  nodes: () => cluster.listNodes(undefined, unstopped),
  kubelets: () => cluster.listKubelets(unstopped),
  'the template of a CronJob': () =>
    cluster.readTemplate('demo', { kind: 'CronJob', name: 'job', uid: 'uid-3' }, unstopped),
  'a permission': () => cluster.mayI({ verb: 'list', group: '', resource: 'pods' }, unstopped),
  'a lease': () => cluster.readLease(lease, unstopped),
  'a lease that is written': () => cluster.updateLease(lease, written, unstopped),
};

/** Undefined is what the pods of a Job are if they are unknown. */
const unknown = ['Malformed', 'TooLarge', 'Unreadable', 'Unknown', 'Failed', undefined];

const headers = [
  '',
  'content-type: application/json\r\n',
  'content-type: text/html\r\ncontent-encoding: gzip\r\n',
];

async function expectUnknown(
  kinds: Readonly<Record<string, () => Promise<unknown>>>,
  body: string | Uint8Array,
): Promise<void> {
  for (const header of headers) {
    answer = wire(body, { headers: header });
    const results = Object.entries(kinds).map(async ([what, read]) => {
      const result = await read();
      return [what, typeof result === 'object' ? Object(result).kind : result] as const;
    });
    const wrong = (await Promise.all(results)).filter(([, kind]) => !unknown.includes(kind));
    expect(wrong, header).toEqual([]);
  }
  tally('badInputs', 'A16', headers.length * Object.keys(kinds).length);
}

describe('A16: nothing that the API answers with is taken for nothing:', () => {
  it.each(Object.entries(nothing))('%s', (_title, body) => expectUnknown({ ...lists, ...reads }, body));
});

describe('A16: what is almost a list of pods is no list, least of all an empty one:', () => {
  it.each(Object.entries(almostLists))('%s', (_title, body) => expectUnknown({ ...lists, ...reads }, body));
});
