import { describe, expect, it } from 'vitest';
import { catchFaults } from '../../../src/facts/catch-faults.ts';
import type { Cluster, ListPart } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { podRef } from '../../builders/report.ts';

const abort = new AbortController().signal;
const ref = podRef(1);
const scope = { namespaces: [], labelSelector: undefined };
const owner = { group: 'batch', kind: 'Job', name: 'work', uid: 'uid-2' };
const permission = { verb: 'get', group: '', resource: 'pods' };
const asked = { method: 'POST', port: 80, path: '/quit', headers: {}, statuses: [] };
const added = { target: 'sidecar', image: 'busybox:1', command: ['true'] };

/** One call of each method, but for the lists. */
const calls: {
  readonly [M in Exclude<keyof Cluster, 'findPods' | 'listPods'>]: (cluster: Cluster) => Promise<unknown>;
} = {
  readPod: (cluster) => cluster.readPod(ref, abort),
  readJob: (cluster) => cluster.readJob('demo', owner, abort),
  listJobs: (cluster) => cluster.listJobs('demo', undefined, abort),
  readNode: (cluster) => cluster.readNode('node1', abort),
  listNodes: (cluster) => cluster.listNodes(undefined, abort),
  readNamespace: (cluster) => cluster.readNamespace('demo', abort),
  listNamespaces: (cluster) => cluster.listNamespaces(undefined, undefined, abort),
  readLog: (cluster) => cluster.readLog(ref, 'sidecar', 10, abort),
  listJobPods: (cluster) => cluster.listJobPods('demo', owner, abort),
  listFailedPods: (cluster) => cluster.listFailedPods([], abort),
  mayI: (cluster) => cluster.mayI(permission, abort),
  exec: (cluster) => cluster.exec(ref, 'sidecar', ['true'], abort),
  request: (cluster) => cluster.request(ref, asked, abort),
  swapImages: (cluster) => cluster.swapImages(ref, [], { dryRun: false }, abort),
  addEphemeralContainer: (cluster) => cluster.addEphemeralContainer(ref, added, abort),
  setDeadline: (cluster) => cluster.setDeadline(ref, abort),
  evict: (cluster) => cluster.evict(ref, abort),
  deletePod: (cluster) => cluster.deletePod(ref, abort),
  raiseBackoffLimit: (cluster) => cluster.raiseBackoffLimit('demo', owner, { from: 0, to: 2 }, abort),
};

/** What a call gives if the cluster throws, and what is heard of it. */
async function answerOf(call: (cluster: Cluster) => Promise<unknown>, cluster = clusterWith({})) {
  const heard: SweepEvent[] = [];
  const answer = await call(catchFaults(cluster, (event) => void heard.push(event)));
  return { answer, heard };
}

const unreadable = {
  kind: 'Unreadable',
  problem: { kind: 'InternalError', message: expect.stringContaining('unexpected call') },
};
const unconfirmed = { kind: 'Unconfirmed', message: expect.stringContaining('unexpected call') };
const others: Readonly<Record<string, unknown>> = {
  readPod: unreadable,
  readJob: unreadable,
  listJobs: unreadable,
  readNode: unreadable,
  listNodes: unreadable,
  readNamespace: unreadable,
  listNamespaces: unreadable,
  readLog: unreadable,
  mayI: unreadable,
  listJobPods: undefined,
  listFailedPods: [],
};

describe('an error becomes an answer, and is heard of:', () => {
  it.each(Object.entries(calls))('%s', async (name, call) => {
    const { answer, heard } = await answerOf(call);
    expect(answer).toEqual(name in others ? others[name] : unconfirmed);
    expect(heard).toMatchObject([
      {
        kind: 'FaultFound',
        fault: { message: `Error: unexpected call of ${name}`, stack: expect.any(String) },
      },
    ]);
  });

  it('a rejected promise as well', async () => {
    const cluster = clusterWith({ evict: () => Promise.reject(new Error('unexpected call, later')) });
    const { answer, heard } = await answerOf(calls.evict, cluster);
    expect(answer).toEqual(unconfirmed);
    expect(heard.length).toBe(1);
  });
});

it('all else passes unchanged', async () => {
  const cluster = clusterWith({ evict: async () => ({ kind: 'Written' }) });
  expect(await answerOf(calls.evict, cluster)).toEqual({ answer: { kind: 'Written' }, heard: [] });
});

it('a list gets its arguments; if it throws, it ends with a failure and keeps the pages before', async () => {
  const page: ListPart = { kind: 'Page', pods: [], malformed: [], asOf: undefined };
  let passed: unknown;
  const cluster = clusterWith({
    async *listPods(...args) {
      passed = args;
      yield page;
      throw new Error('out of paper');
    },
  });
  const isWanted = () => false;
  const parts: ListPart[] = [];
  const list = catchFaults(cluster, () => undefined).listPods(scope, abort, isWanted);
  for await (const part of list) parts.push(part);
  const message = 'internal error while calling listPods: Error: out of paper';
  expect(parts).toEqual([
    page,
    { kind: 'Failed', namespace: undefined, problem: { kind: 'InternalError', message } },
  ]);
  expect(passed).toEqual([scope, abort, isWanted]);
});
