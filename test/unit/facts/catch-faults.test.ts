import { expect, it } from 'vitest';
import { catchFaults } from '../../../src/facts/catch-faults.ts';
import type { Cluster, ListPart } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { podRef } from '../../builders/report.ts';

const abort = new AbortController().signal;
const ref = podRef(1);
const scope = { namespaces: [], labelSelector: undefined };

/** What a call gives if the cluster throws, and what is heard of it. */
async function answerOf(call: (cluster: Cluster) => Promise<unknown>, cluster = clusterWith({})) {
  const heard: SweepEvent[] = [];
  const answer = await call(catchFaults(cluster, (event) => void heard.push(event)));
  return { answer, heard };
}

const message = expect.stringContaining('unexpected call');
const unreadable = { kind: 'Unreadable', problem: { kind: 'InternalError', message } };
const reads = ['readPod', 'readJob', 'listJobs', 'readNode', 'listNodes', 'readNamespace', 'listNamespaces'];
const others: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    [...reads, 'listJobPods', 'listFailedPods', 'readLog', 'mayI'].map((name) => [name, unreadable]),
  ),
};
const { findPods, listPods, ...calls } = catchFaults(clusterWith({}), () => undefined);

it.each(Object.keys(calls))('an error becomes an answer, and is heard of: %s', async (name) => {
  const call = async (cluster: Cluster) => Object(cluster)[name]();
  const { answer, heard } = await answerOf(call);
  expect(answer).toEqual(name in others ? others[name] : { kind: 'Unconfirmed', message });
  const fault = { message: `Error: unexpected call of ${name}`, stack: expect.any(String) };
  expect(heard).toMatchObject([{ kind: 'FaultFound', fault }]);
});

it('a rejected promise becomes an answer as well', async () => {
  const cluster = clusterWith({ evict: () => Promise.reject(new Error('unexpected call, later')) });
  const { answer, heard } = await answerOf((caught) => caught.evict(ref, abort), cluster);
  expect(answer).toEqual({ kind: 'Unconfirmed', message });
  expect(heard.length).toBe(1);
});

it('all else passes unchanged', async () => {
  const cluster = clusterWith({ evict: async () => ({ kind: 'Written' }) });
  const result = await answerOf((caught) => caught.evict(ref, abort), cluster);
  expect(result).toEqual({ answer: { kind: 'Written' }, heard: [] });
});

it('a list gets its arguments; if it throws, it ends with a failure and keeps the pages before', async () => {
  const page: ListPart = { kind: 'Page', pods: [], malformed: [], atWork: [], asOf: undefined };
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
  const problem = {
    kind: 'InternalError',
    message: 'internal error while calling listPods: Error: out of paper',
  };
  expect(parts).toEqual([page, { kind: 'Failed', namespace: undefined, problem }]);
  expect(passed).toEqual([scope, abort, isWanted]);
});
