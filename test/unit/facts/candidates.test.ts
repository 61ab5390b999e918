import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { findCandidates, judgePods } from '../../../src/facts/candidates.ts';
import { createJobReader } from '../../../src/facts/job-reader.ts';
import { bounds } from '../../../src/model/bounds.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import type { Emit, SweepEvent } from '../../../src/plan/sweep-event.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { clusterWith, unreadable } from '../../builders/cluster.ts';
import { now, podView } from '../../builders/pod-view.ts';

const policy = resolvePolicy({ namespaces: [], minAge: 0, lastResort: [] }, undefined);

function podsOf(count: number, namespace = 'demo'): readonly PodView[] {
  return Array.from({ length: count }, (_, number) =>
    podView({ ref: { namespace, name: `pod-${number}`, uid: `uid-${number}` } }),
  );
}

/** How these pages of pods are judged, and what is read meanwhile; lists of namespaces give these. */
function judging(
  pages: readonly (readonly PodView[])[],
  { emit = () => undefined, onPage, namespaces }: Judging = {},
) {
  const read: string[] = [];
  const present = { kind: 'Present', annotations: {} } as const;
  const cluster: Cluster = clusterWith({
    async *findPods() {
      for (const pods of pages) {
        onPage?.();
        read.push('page');
        yield { kind: 'Page', pods, malformed: [], atWork: [], asOf: now };
      }
    },
    async readNode() {
      read.push('node');
      return { kind: 'Ready', platform: 'linux/amd64' };
    },
    async readNamespace(name) {
      read.push(`namespace ${name}`);
      return present;
    },
    async listNamespaces() {
      read.push('namespaces');
      if (!namespaces) return unreadable('Forbidden');
      const items = namespaces.map((name) => ({ name, reading: present }));
      return { kind: 'Page', items, token: undefined };
    },
    listNodes: async () => unreadable('Forbidden'),
    listJobs: async () => unreadable('Forbidden'),
    readJob: async () => ({ kind: 'Gone' }),
  });
  const stopping = new AbortController();
  const slots = createSlots(4);
  const jobs = createJobReader(cluster, emit, slots);
  const options = { policy, cluster, emit, slots, jobs, self: undefined, stop: stopping.signal };
  return { options, read, stopping };
}

interface Judging {
  readonly emit?: Emit;
  readonly onPage?: () => void;
  readonly namespaces?: readonly string[];
}

it('a stop takes effect while a page of pods is judged, and every one of them is judged', async () => {
  const judged: string[] = [];
  let atStop = Number.NaN;
  const emit: Emit = (event) => {
    if (event.kind !== 'PodJudged') return;
    // As a signal or the deadline would: not before the event loop turns.
    if (judged.length === 0) setImmediate(() => stopping.abort('Signal'));
    judged.push(event.verdict.kind);
  };
  const { options, stopping } = judging([podsOf(500)], { emit });
  stopping.signal.addEventListener('abort', () => {
    atStop = judged.length;
  });
  await judgePods(options);
  expect(atStop).toBeLessThan(50);
  expect(judged).toHaveLength(500);
});

it('no request delays the list, and the namespaces of all its pages are read by one', async () => {
  const pages = [0, 1, 2].map((page) => [0, 1, 2, 3, 4].flatMap((each) => podsOf(1, `team-${page}-${each}`)));
  const namespaces = pages.flat().map(({ ref }) => ref.namespace);
  const { options, read } = judging(pages, { namespaces });
  const { candidates } = await findCandidates(options);
  expect(candidates).toHaveLength(15);
  expect(read).toEqual(['page', 'page', 'page', 'namespaces', 'node']);
});

it('the pods of a large cluster do not all wait for the end of the list', async () => {
  let judged = 0;
  const judgedAtPage: number[] = [];
  const emit: Emit = (event) => {
    if (event.kind === 'PodJudged') judged++;
  };
  const onPage = () => judgedAtPage.push(judged);
  const { options, read } = judging(Array(5).fill(podsOf(300)), { emit, onPage });
  await judgePods(options);
  // From the third page on, their node and their namespace are known.
  expect(judgedAtPage).toEqual([0, 0, 600, 900, 1200]);
  expect(judged).toBe(1500);
  expect(read.filter((one) => one !== 'page')).toEqual(['namespace demo', 'node']);
});

it('the search for more holds no stuck pod that it has handed over', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const search = async () => {
    const { candidates, next } = await findCandidates(judging([podsOf(3)]).options);
    return { next, found: candidates.map((candidate) => new WeakRef(candidate)) };
  };
  const { next, found } = await search();
  expect(found).toHaveLength(3);
  // Until then, a WeakRef that was just made keeps its object.
  await new Promise(setImmediate);
  collectGarbage();
  expect(found.filter((one) => one.deref() !== undefined)).toEqual([]);
  expect(await next()).toBeUndefined();
});

it('stuck pods that do not fit into the memory come in portions, those that waste most first, and each once', async () => {
  const size = bounds.stuckPods / 16;
  const pods = podsOf(40).map((pod, index) => ({ ...pod, size, requests: { cpu: index + 1, memory: 0 } }));
  const events: SweepEvent[] = [];
  const { options } = judging([pods], { emit: (event) => void events.push(event) });
  const listPods: Cluster['listPods'] = async function* (_scope, _stop, isWanted) {
    yield {
      kind: 'Page',
      pods: pods.filter(({ ref }) => isWanted?.(ref)),
      malformed: [],
      atWork: [],
      asOf: now,
    };
  };
  const found = await findCandidates({ ...options, cluster: { ...options.cluster, listPods } });
  const names = (of: readonly Candidate[]) => of.map(({ pod }) => Number(pod.ref.name.replace('pod-', '')));
  const portions = [names(found.candidates)];
  for (let next = await found.next(); next; next = await found.next()) portions.push(names(next.candidates));
  for (const portion of portions) expect(portion.length * size).toBeLessThanOrEqual(bounds.stuckPods);
  expect(portions.length).toBeGreaterThan(2);
  expect(portions.flat().sort((a, b) => a - b)).toEqual(pods.map((_, index) => index));
  expect(Math.min(...(portions[0] ?? []))).toBeGreaterThan(Math.max(...(portions.at(-1) ?? [])));
  const told = events.filter(({ kind }) => kind === 'PodJudged' || kind === 'Warned');
  expect(told).toHaveLength(41);
  expect(events.at(12)).toMatchObject({ kind: 'PodJudged' });
  const warned = { kind: 'Warned', warning: { kind: 'InPortions', pods: 40 - found.candidates.length } };
  expect(events).toContainEqual(warned);
});
