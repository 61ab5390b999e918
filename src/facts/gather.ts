import { judge } from '../judge/judge.ts';
import { jobToRead, nodeToRead } from '../judge/missing-facts.ts';
import { bounds } from '../model/bounds.ts';
import type { JobView } from '../model/job.ts';
import { jobKey, jobOf, type Owner, type PodView } from '../model/pod.ts';
import type { Facts, NamespaceReading, NodeReading } from '../model/reading.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import type { JobReader, OwnedJob } from './job-reader.ts';
import {
  createNamespaceReader,
  createNodeReader,
  type ReadOptions,
  type SelectedNamespaces,
} from './readers.ts';

export interface GatherOptions
  extends ReadOptions<'readNode' | 'listNodes' | 'readNamespace' | 'listNamespaces'> {
  readonly policy: Policy;
  readonly self: Facts['self'];
  readonly jobs: Pick<JobReader, 'readAll'>;
  readonly selected: Pick<SelectedNamespaces, 'names'>;
}

const batchSize = 500;

/** Judges pods, and reads the facts for that: each Job, node and namespace at most once, and only if it could change a verdict. */
export function createGatherer(options: GatherOptions) {
  const { policy, jobs, stop } = options;
  const readNodes = createNodeReader(options);
  const readNamespaces = createNamespaceReader(options);
  const learnt = {
    templates: new Map<string, Pick<JobView, 'containers' | 'nativeSidecars'>>(),
    nodes: new Map<string, NodeReading>(),
    namespaces: new Map<string, NamespaceReading>(),
  };
  const facts: Facts = { ...learnt, selectedNamespaces: options.selected.names, self: options.self };
  const waiting: { readonly pod: PodView; readonly owner: Owner | undefined }[] = [];
  let waitingBytes = 0;

  async function learnJobs(owned: readonly OwnedJob[]): Promise<void> {
    const readings = await jobs.readAll(owned, stop);
    for (const { namespace, owner } of owned) {
      const reading = readings.get(jobKey(namespace, owner));
      if (reading?.kind !== 'Present') continue;
      const { containers, nativeSidecars } = reading.job;
      learnt.templates.set(owner.uid, { containers, nativeSidecars });
    }
  }

  async function learnNodes(names: readonly string[]): Promise<void> {
    for (const [name, reading] of await readNodes(names)) learnt.nodes.set(name, reading);
  }

  async function learnNamespaces(names: readonly string[]): Promise<void> {
    for (const [name, reading] of await readNamespaces(names)) {
      // After a stop, nothing is sent, so this namespace no longer matters.
      if (reading.kind === 'Unreadable' && reading.problem.kind === 'Interrupted') continue;
      learnt.namespaces.set(name, reading);
    }
  }

  /** The node and the namespace that could change a verdict and have not been requested yet. */
  function missing(verdict: Verdict, now: Millis | undefined) {
    const { namespace } = verdict.pod.ref;
    const node = nodeToRead(verdict, { policy, facts, now });
    const dependsOnNamespace = verdict.kind !== 'Excluded' && verdict.kind !== 'Undecided';
    return {
      node: facts.nodes.has(node) ? undefined : node,
      namespace: dependsOnNamespace && !facts.namespaces.has(namespace) ? namespace : undefined,
    };
  }

  return {
    facts,
    /** Whether enough pods wait for a batch of facts to be read. */
    get isFull() {
      return waiting.length >= batchSize || waitingBytes >= bounds.waitingPods;
    },
    /** The verdict on a pod; undefined if facts must be read first. */
    judge(pod: PodView, now: Millis | undefined): Verdict | undefined {
      const owner = jobToRead(pod, { policy, facts, now });
      if (!owner) {
        const verdict = judge(pod, policy, now, facts);
        const { node, namespace } = missing(verdict, now);
        if (node === undefined && namespace === undefined) return verdict;
      }
      waiting.push({ pod, owner });
      waitingBytes += pod.size;
      return undefined;
    },
    /** Reads the facts that the waiting pods need, and yields their verdicts in order. */
    async *judgeWaiting(now: Millis | undefined): AsyncGenerator<Verdict, void> {
      const all = waiting.splice(0);
      waitingBytes = 0;
      await learnJobs(
        all.flatMap(({ pod, owner }) => (owner ? [{ namespace: pod.ref.namespace, owner }] : [])),
      );
      const nodes = new Set<string>();
      const namespaces = new Set<string>();
      for await (const { pod } of inTurns(all)) {
        const { node, namespace } = missing(judge(pod, policy, now, facts), now);
        if (node !== undefined) nodes.add(node);
        if (namespace !== undefined) namespaces.add(namespace);
      }
      await Promise.all([learnNamespaces([...namespaces]), learnNodes([...nodes])]);
      for await (const { pod } of inTurns(all)) yield judge(pod, policy, now, facts);
    },
    /** Reads the Job, the node and the namespace of a pod, even if they cannot change its verdict. */
    async readAllAbout(pod: PodView): Promise<void> {
      const { namespace } = pod.ref;
      const owner = jobOf(pod);
      const [readings] = await Promise.all([
        readNamespaces([namespace]),
        learnNodes(pod.node === undefined ? [] : [pod.node]),
        learnJobs(owner ? [{ namespace, owner }] : []),
      ]);
      for (const [name, reading] of readings) learnt.namespaces.set(name, reading);
    },
  };
}
