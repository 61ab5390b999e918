import { expect, it } from 'vitest';
import { look, lookForCandidates } from '../../../src/facts/candidates.ts';
import { createJobReader } from '../../../src/facts/jobs.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { now, podView } from '../../builders/pod-view.ts';

const pods = Array.from({ length: 500 }, (_, number) =>
  podView({ ref: { namespace: 'demo', name: `pod-${number}`, uid: `uid-${number}` } }),
);
const policy = resolvePolicy({ namespaces: [], minAge: 0, lastResort: [] }, undefined);

const forbidden = { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no list' } } as const;

/** A cluster of one page of pods, which answers everything else at once. */
const cluster = {
  async *findPods() {
    yield { kind: 'Page', pods, malformed: [], asOf: Date.parse('2026-01-01') } as const;
  },
  readNode: async () => ({ kind: 'Ready', platform: 'linux/amd64' }) as const,
  listNodes: async () => forbidden,
  readNamespace: async () => ({ kind: 'Present', annotations: {} }) as const,
  listNamespaces: async () => forbidden,
  listJobs: async () => forbidden,
  readJob: async () => ({ kind: 'Gone' }) as const,
} satisfies Partial<Cluster>;

it('a stop is heard while a page of pods is judged, and every one of them is judged', async () => {
  const stopping = new AbortController();
  const judged: string[] = [];
  let atStop = Number.NaN;
  const emit = (event: SweepEvent) => {
    if (event.kind !== 'PodJudged') return;
    // As a signal or the deadline would: not before the event loop turns.
    if (judged.length === 0) setImmediate(() => stopping.abort('Signal'));
    judged.push(event.verdict.kind);
  };
  stopping.signal.addEventListener('abort', () => {
    atStop = judged.length;
  });
  const slots = createSlots(4);
  const jobs = createJobReader(cluster, emit);
  await look({ policy, cluster, emit, slots, jobs, self: undefined, stop: stopping.signal });
  expect(atStop).toBeLessThan(50);
  expect(judged).toHaveLength(pods.length);
});

it('no request holds up the list, and the namespaces of all its pages are read by one', async () => {
  const done: string[] = [];
  const pagesOfPods = Array.from({ length: 3 }, (_, page) =>
    Array.from({ length: 5 }, (_, number) =>
      podView({ ref: { namespace: `team-${page}-${number}`, name: 'stuck', uid: `${page}-${number}` } }),
    ),
  );
  const listed = pagesOfPods.flat().map(({ ref }) => ({
    name: ref.namespace,
    reading: { kind: 'Present', annotations: {} } as const,
  }));
  const paged = {
    ...cluster,
    async *findPods() {
      for (const page of pagesOfPods) {
        done.push('a page');
        yield { kind: 'Page', pods: page, malformed: [], asOf: now } as const;
      }
    },
    async readNamespace() {
      done.push('a namespace');
      return { kind: 'Present', annotations: {} } as const;
    },
    async listNamespaces() {
      done.push('the namespaces');
      return { kind: 'Page', items: listed, token: undefined } as const;
    },
    async readNode() {
      done.push('a node');
      return { kind: 'Ready', platform: 'linux/amd64' } as const;
    },
  };
  const jobs = createJobReader(paged, () => undefined);
  const stop = new AbortController().signal;
  const options = { policy, cluster: paged, slots: createSlots(4), jobs, self: undefined, stop };
  const { candidates } = await lookForCandidates({ ...options, emit: () => undefined });
  expect(candidates).toHaveLength(15);
  expect(done).toEqual(['a page', 'a page', 'a page', 'the namespaces', 'a node']);
});

it('the pods of a large cluster do not all wait for the end of the list', async () => {
  let judged = 0;
  const judgedAtPage: number[] = [];
  const read: string[] = [];
  const paged = {
    ...cluster,
    async readNamespace(name: string) {
      read.push(`namespace ${name}`);
      return { kind: 'Present', annotations: {} } as const;
    },
    async readNode() {
      read.push('a node');
      return { kind: 'Ready', platform: 'linux/amd64' } as const;
    },
    async *findPods() {
      for (let page = 0; page < 5; page++) {
        judgedAtPage.push(judged);
        yield { kind: 'Page', pods: pods.slice(0, 300), malformed: [], asOf: now } as const;
      }
    },
  };
  const emit = (event: SweepEvent) => {
    if (event.kind === 'PodJudged') judged++;
  };
  const jobs = createJobReader(paged, () => undefined);
  const stop = new AbortController().signal;
  await look({ policy, cluster: paged, emit, slots: createSlots(4), jobs, self: undefined, stop });
  // From the third page on, their node and their namespace are known.
  expect(judgedAtPage).toEqual([0, 0, 600, 900, 1200]);
  expect(judged).toBe(1500);
  expect(read.sort()).toEqual(['a node', 'namespace demo']);
});
