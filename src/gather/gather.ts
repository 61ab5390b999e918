import type { Millis } from '../duration.ts';
import { optsOut } from '../judge/checks/exempt.ts';
import { judge } from '../judge/judge.ts';
import { jobToRead, nodeToRead } from '../judge/missing-facts.ts';
import { jobKey } from '../pod/owner.ts';
import type { Policy } from '../policy/policy.ts';
import type { Slots } from '../ports.ts';
import { inTurns } from '../turns.ts';
import type { Facts, NamespaceReading, Owner, PodView, Verdict } from '../vocabulary.ts';
import type { JobReader, OwnedJob } from './jobs.ts';
import type { NamespaceReader } from './namespaces.ts';
import type { NodeReader } from './nodes.ts';

export interface GatherOptions {
  readonly policy: Policy;
  readonly self: Facts['self'];
  readonly jobs: Pick<JobReader, 'readAll'>;
  readonly nodes: Pick<NodeReader, 'readAll'>;
  readonly namespaces: NamespaceReader;
  readonly selectedNamespaces: Facts['selectedNamespaces'];
  readonly slots: Slots;
  readonly abort: AbortSignal;
}

/** Judges pods, and reads what it needs besides them: each Job, node and namespace at most once, and only if it could matter. */
export interface Gatherer {
  /** Everything read so far; grows with every batch. */
  readonly facts: Facts;
  /** The verdict on each of these pods, in their order. */
  judgeAll(pods: readonly PodView[], now: Millis | undefined): Promise<readonly Verdict[]>;
}

export function createGatherer(options: GatherOptions): Gatherer {
  const { policy, self, jobs, nodes, selectedNamespaces, slots, abort } = options;
  const jobContainers = new Map<string, readonly string[]>();
  const jobNativeSidecars = new Map<string, readonly string[]>();
  const unreadyNodes = new Map<string, string>();
  const platforms = new Map<string, string>();
  const namespaces = new Map<string, NamespaceReading>();
  const facts: Facts = {
    jobContainers,
    jobNativeSidecars,
    unreadyNodes,
    platforms,
    namespaces,
    selectedNamespaces,
    self,
  };
  const asked = new Set<string>();

  async function readJobs(owned: readonly OwnedJob[]): Promise<void> {
    const readings = await jobs.readAll(owned, slots, abort);
    for (const { namespace, owner } of owned) {
      const reading = readings.get(jobKey(namespace, owner));
      if (reading?.kind !== 'Present') continue;
      jobContainers.set(owner.uid, reading.job.containers);
      jobNativeSidecars.set(owner.uid, reading.job.nativeSidecars);
    }
  }

  async function readNodes(names: readonly string[]): Promise<void> {
    for (const [name, reading] of await nodes.readAll(names, slots, abort)) {
      if (reading.kind === 'NotReady') unreadyNodes.set(name, reading.reason);
      if (reading.kind === 'Ready') platforms.set(name, reading.platform);
    }
  }

  /** Those among them where pods may have to be left alone. */
  async function readNamespaces(names: readonly string[]): Promise<ReadonlySet<string>> {
    const barred = new Set<string>();
    for (const [name, reading] of await options.namespaces.readAll(names, slots, abort)) {
      // After a stop nothing is sent, so there is nothing to decide.
      if (reading.kind === 'Unreadable' && reading.problem.kind === 'Interrupted') continue;
      namespaces.set(name, reading);
      const isOpen = reading.kind === 'Gone' || (reading.kind === 'Present' && !optsOut(reading.annotations));
      if (!isOpen) barred.add(name);
    }
    return barred;
  }

  /** A pod that cannot be judged needs no Job; its verdict says why. */
  function jobOf(pod: PodView, now: Millis | undefined): Owner | undefined {
    try {
      return jobToRead(pod, policy, now, facts);
    } catch {
      return undefined;
    }
  }

  /** Whether this is the first request for a key. */
  function isNew(key: string): boolean {
    const size = asked.size;
    return asked.add(key).size > size;
  }

  return {
    facts,
    async judgeAll(pods, now) {
      const owned: OwnedJob[] = [];
      for await (const pod of inTurns(pods)) {
        const { namespace } = pod.ref;
        const owner = jobOf(pod, now);
        if (owner && isNew(`job ${jobKey(namespace, owner)}`)) owned.push({ namespace, owner });
      }
      await readJobs(owned);
      const verdicts: Verdict[] = [];
      const newNodes: string[] = [];
      const newNamespaces: string[] = [];
      const dependent = new Set<Verdict>();
      for await (const pod of inTurns(pods)) {
        const verdict = judge(pod, policy, now, facts);
        verdicts.push(verdict);
        const node = nodeToRead(verdict, policy, now, facts);
        if (node !== undefined && isNew(`node ${node}`)) newNodes.push(node);
        if (node !== undefined && verdict.kind !== 'Candidate') dependent.add(verdict);
        const { namespace } = pod.ref;
        if (verdict.kind === 'Excluded' || verdict.kind === 'Undecided') continue;
        if (isNew(`namespace ${namespace}`)) newNamespaces.push(namespace);
      }
      const [barred] = await Promise.all([readNamespaces(newNamespaces), readNodes(newNodes)]);
      const unready = new Set(newNodes.filter((name) => unreadyNodes.has(name)));
      if (unready.size === 0 && barred.size === 0 && dependent.size === 0) return verdicts;
      return verdicts.map((verdict) => {
        const { pod } = verdict;
        const isConcerned =
          dependent.has(verdict) || unready.has(pod.node ?? '') || barred.has(pod.ref.namespace);
        return isConcerned ? judge(pod, policy, now, facts) : verdict;
      });
    },
  };
}
