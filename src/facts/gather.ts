import { isWindows, optsOut } from '../judge/checks.ts';
import { judge } from '../judge/judge.ts';
import { jobToRead, nodeToRead } from '../judge/missing-facts.ts';
import { jobKey, jobOf, type Owner, type PodView } from '../model/pod.ts';
import type { Facts, NamespaceReading } from '../model/reading.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import type { Slots } from '../util/concurrency.ts';
import { inTurns } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import type { JobReader, OwnedJob } from './jobs.ts';
import type { NamespaceReader } from './namespaces.ts';
import type { NodeReader } from './readers.ts';

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
  /** Everything read so far. */
  readonly facts: Facts;
  /** The verdict on a pod; undefined if it waits for something that is to be read. */
  judge(pod: PodView, now: Millis | undefined): Verdict | undefined;
  /** How many pods wait. */
  readonly waiting: number;
  /** Reads what is waited for, and gives the verdicts on the pods that wait, in their order. */
  judgeWaiting(now: Millis | undefined): Promise<readonly Verdict[]>;
  /** Reads the Job, the node and the namespace of a pod, even if they cannot change its verdict. */
  readAllAbout(pod: PodView): Promise<void>;
}

/** A pod that waits for its Job, or whose verdict its node or its namespace could change. */
type Waiting =
  | { readonly kind: 'ForJob'; readonly pod: PodView; readonly owner: Owner }
  | { readonly kind: 'Judged'; readonly verdict: Verdict; readonly node: string | undefined };

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
  const waiting: Waiting[] = [];
  const askedNodes = new Set<string>();
  const askedNamespaces = new Set<string>();

  async function readJobs(owned: readonly OwnedJob[]): Promise<void> {
    const readings = await jobs.readAll(owned, slots, abort);
    for (const { namespace, owner } of owned) {
      const reading = readings.get(jobKey(namespace, owner));
      if (reading?.kind !== 'Present') continue;
      jobContainers.set(owner.uid, reading.job.containers);
      jobNativeSidecars.set(owner.uid, reading.job.nativeSidecars);
    }
  }

  /** Those among them whose pods are left alone: they are not ready, or run Windows. */
  async function readNodes(names: readonly string[]): Promise<ReadonlySet<string>> {
    const barred = new Set<string>();
    for (const [name, reading] of await nodes.readAll(names, slots, abort)) {
      if (reading.kind === 'NotReady') unreadyNodes.set(name, reading.reason);
      if (reading.kind === 'Ready') platforms.set(name, reading.platform);
      if (reading.kind === 'NotReady' || (reading.kind === 'Ready' && isWindows(reading.platform)))
        barred.add(name);
    }
    return barred;
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
  function jobWanted(pod: PodView, now: Millis | undefined): Owner | undefined {
    try {
      return jobToRead(pod, policy, now, facts);
    } catch {
      return undefined;
    }
  }

  /** The verdict that there is without the node and the namespace. */
  function judged(pod: PodView, now: Millis | undefined): Extract<Waiting, { readonly kind: 'Judged' }> {
    const verdict = judge(pod, policy, now, facts);
    return { kind: 'Judged', verdict, node: nodeToRead(verdict, policy, now, facts) };
  }

  /** Whether all that the verdict depends on has been read. */
  function isFinal({ verdict, node }: Extract<Waiting, { readonly kind: 'Judged' }>): boolean {
    const { namespace } = verdict.pod.ref;
    return (
      (node === undefined || askedNodes.has(node)) &&
      (askedNamespaces.has(namespace) || !dependsOnNamespace(verdict))
    );
  }

  return {
    facts,
    get waiting() {
      return waiting.length;
    },
    judge(pod, now) {
      const owner = jobWanted(pod, now);
      const one: Waiting = owner ? { kind: 'ForJob', pod, owner } : judged(pod, now);
      if (one.kind === 'Judged' && isFinal(one)) return one.verdict;
      waiting.push(one);
      return undefined;
    },
    async judgeWaiting(now) {
      const all = waiting.splice(0);
      await readJobs([...ownersIn(all).values()]);
      const verdicts: Verdict[] = [];
      const nodesToRead = new Set<string>();
      const dependent = new Set<Verdict>();
      for await (const one of inTurns(all)) {
        const { verdict, node } = one.kind === 'ForJob' ? judged(one.pod, now) : one;
        verdicts.push(verdict);
        if (node === undefined) continue;
        nodesToRead.add(node);
        if (verdict.kind !== 'Candidate') dependent.add(verdict);
      }
      const concerned = new Set(verdicts.filter(dependsOnNamespace).map(({ pod }) => pod.ref.namespace));
      const [barred, barredNodes] = await Promise.all([
        readNamespaces(notYet(concerned, askedNamespaces)),
        readNodes(notYet(nodesToRead, askedNodes)),
      ]);
      if (barredNodes.size === 0 && barred.size === 0 && dependent.size === 0) return verdicts;
      return verdicts.map((verdict) => {
        const { pod } = verdict;
        const isConcerned =
          dependent.has(verdict) || barredNodes.has(pod.node ?? '') || barred.has(pod.ref.namespace);
        return isConcerned ? judge(pod, policy, now, facts) : verdict;
      });
    },
    async readAllAbout(pod) {
      const { namespace } = pod.ref;
      const owner = jobOf(pod);
      const [readings] = await Promise.all([
        options.namespaces.readAll([namespace], slots, abort),
        readNodes(pod.node === undefined ? [] : [pod.node]),
        readJobs(owner ? [{ namespace, owner }] : []),
      ]);
      for (const [name, reading] of readings) namespaces.set(name, reading);
    },
  };
}

/** Those that were not asked for before; now they are. */
function notYet(names: ReadonlySet<string>, asked: Set<string>): readonly string[] {
  const fresh = [...names].filter((name) => !asked.has(name));
  for (const name of fresh) asked.add(name);
  return fresh;
}

/** Whether what its namespace says could change the verdict. */
function dependsOnNamespace({ kind }: Verdict): boolean {
  return kind !== 'Excluded' && kind !== 'Undecided';
}

/** The Jobs that are waited for, each once. */
function ownersIn(all: readonly Waiting[]): ReadonlyMap<string, OwnedJob> {
  const owned = new Map<string, OwnedJob>();
  for (const one of all) {
    if (one.kind !== 'ForJob') continue;
    const { namespace } = one.pod.ref;
    owned.set(jobKey(namespace, one.owner), { namespace, owner: one.owner });
  }
  return owned;
}
