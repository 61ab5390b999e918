import { bounds } from '../model/bounds.ts';
import type { PodRef } from '../model/pod.ts';
import type { ListPart } from '../model/ports.ts';
import type { Facts } from '../model/reading.ts';
import { takeShard } from '../model/scope.ts';
import type { Candidate, Verdict } from '../model/verdict.ts';
import { wasteOf } from '../plan/order.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { createGatherer } from './gather.ts';
import type { JobReader } from './job-reader.ts';
import { type ReadOptions, reportMissing, selectNamespaces } from './readers.ts';

export interface JudgingOptions
  extends ReadOptions<
    'findPods' | 'listPods' | 'readNode' | 'listNodes' | 'readNamespace' | 'listNamespaces'
  > {
  readonly policy: Policy;
  readonly jobs: JobReader;
  readonly self: Facts['self'];
}

export interface JudgedList {
  readonly facts: Facts;
  /** The server's time at the last page; undefined if there was no page, or its time is unknown. */
  readonly asOf: Millis | undefined;
  readonly listed: number;
  readonly ours: number;
}

interface Found extends JudgedList {
  readonly candidates: readonly Candidate[];
  readonly later: number;
  /** Reads some of the others again, and judges them; undefined if there are none. */
  readonly next: () => Promise<Pick<Found, 'candidates' | 'asOf'> | undefined>;
}

/** Lists and judges pods, and keeps those that are stuck, in portions if they are too many for the memory. */
export async function findCandidates(options: JudgingOptions): Promise<Found> {
  const search = await beginSearch(options);
  const began = Date.now();
  let portion = new Portion(options.emit, began);
  const judged = await search.judgeAll(portion.emit);
  const candidates = portion.close();
  const later = portion.later.size;
  if (later > 0) options.emit({ kind: 'Warned', warning: { kind: 'InPortions', pods: later } });
  return {
    ...judged,
    candidates,
    later,
    async next() {
      if (portion.later.size === 0) return undefined;
      const wanted = portion.later;
      portion = new Portion(options.emit, began);
      const asOf = await search.judgeAgain(({ uid }) => wanted.has(uid), portion.emit);
      return { asOf, candidates: portion.close() };
    },
  };
}

/** The stuck pods that are held: as long as they are too many, those that waste least are left for later. */
class Portion {
  readonly later = new Set<string>();
  #candidates: Candidate[] = [];
  #size = 0;
  /** What the most wasteful of those that are left for later waste. */
  #leftWaste = 0;

  constructor(
    private readonly tell: Emit,
    private readonly began: Millis,
  ) {}

  /** Events about a candidate are held back until it is clear that it fits into memory. */
  readonly emit: Emit = (event) => {
    if (event.kind !== 'PodJudged' || event.verdict.kind !== 'Candidate') return this.tell(event);
    const { verdict } = event;
    if (this.later.size > 0 && this.#wasteOf(verdict) <= this.#leftWaste) return this.#leave(verdict);
    this.#candidates.push(verdict);
    this.#size += verdict.pod.size;
    if (this.#size > bounds.stuckPods) this.#shrink();
  };

  /** Hands over the candidates, and holds them no longer. */
  close(): readonly Candidate[] {
    const candidates = this.#candidates;
    this.#candidates = [];
    for (const verdict of candidates) this.tell({ kind: 'PodJudged', verdict });
    return candidates;
  }

  /** Keeps three quarters of the limit, so that not every new candidate sorts them all again. */
  #shrink(): void {
    const byWaste = this.#candidates.sort((one, other) => this.#wasteOf(other) - this.#wasteOf(one));
    this.#candidates = [];
    this.#size = 0;
    for (const candidate of byWaste) {
      const { size } = candidate.pod;
      if (this.#size + size > 0.75 * bounds.stuckPods) this.#leave(candidate);
      else {
        this.#size += size;
        this.#candidates.push(candidate);
      }
    }
  }

  /** All by the same time, which is after the end of their mains but for those that ended meanwhile. */
  #wasteOf(candidate: Candidate): Millis {
    return wasteOf(candidate, this.began);
  }

  #leave(candidate: Candidate): void {
    this.later.add(candidate.pod.ref.uid);
    this.#leftWaste = Math.max(this.#leftWaste, this.#wasteOf(candidate));
  }
}

export async function judgePods(options: JudgingOptions): Promise<JudgedList> {
  return (await beginSearch(options)).judgeAll(options.emit);
}

async function beginSearch(options: JudgingOptions) {
  const { policy, cluster, stop } = options;
  const selected = await selectNamespaces(policy.scope, cluster, stop);
  const { scope, problem } = selected;
  if (problem) options.emit({ kind: 'ReadFailed', namespace: undefined, problem, what: 'Namespace' });
  const gatherer = createGatherer({ ...options, selected });

  async function judge(list: AsyncIterable<ListPart> | readonly ListPart[], emit: Emit): Promise<JudgedList> {
    const report = (verdict: Verdict) => emit({ kind: 'PodJudged', verdict });
    const judgeWaiting = async () => {
      for await (const verdict of gatherer.judgeWaiting(asOf)) report(verdict);
    };
    let asOf: Millis | undefined;
    let listed = 0;
    let ours = 0;
    for await (const part of list) {
      switch (part.kind) {
        case 'Failed':
          emit({ ...part, kind: 'ReadFailed' });
          break;
        case 'Inconsistent':
          emit({ kind: 'Warned', warning: { kind: 'ListInconsistent' } });
          break;
        case 'Page': {
          asOf = part.asOf;
          listed += part.pods.length + part.atWork.length;
          const { pods, malformed, atWork, otherShards } = takeShard(part, policy.scope.shard);
          const own = pods.length + atWork.length;
          ours += own;
          emit({ kind: 'PageListed', pods: own, atWork, malformed, otherShards });
          for await (const pod of inTurns(pods)) {
            const verdict = gatherer.judge(pod, asOf);
            if (verdict) report(verdict);
            if (gatherer.isFull) await judgeWaiting();
          }
          break;
        }
      }
    }
    // Not before the list has ended, so that no request delays it, and those for many of a kind are made together.
    await judgeWaiting();
    return { facts: gatherer.facts, asOf, listed, ours };
  }

  return {
    async judgeAll(emit: Emit): Promise<JudgedList> {
      const unseen = new Set(policy.scope.namespaces);
      const list = scope ? notingNamespaces(cluster.findPods(scope, stop), unseen) : [];
      const judged = await judge(list, emit);
      if (!stop.aborted) await reportMissing([...unseen], options);
      return judged;
    },
    /** Reads and judges only these pods, and yields only those that are still stuck. */
    async judgeAgain(isWanted: (pod: PodRef) => boolean, emit: Emit): Promise<Millis | undefined> {
      const list = scope ? cluster.listPods(scope, stop, isWanted) : [];
      const { asOf } = await judge(list, (event) => {
        if (event.kind === 'PageListed') return;
        if (event.kind !== 'PodJudged' || event.verdict.kind === 'Candidate') emit(event);
      });
      return asOf;
    },
  };
}

/** The same list; the namespaces that are in it, or of which it cannot be read, are taken out of the set. */
async function* notingNamespaces(
  list: AsyncIterable<ListPart>,
  unseen: Set<string>,
): AsyncGenerator<ListPart, void> {
  for await (const part of list) {
    if (part.kind === 'Page') {
      const { pods, atWork, malformed } = part;
      const names = [...pods.map(({ ref }) => ref), ...atWork, ...malformed];
      for (const { namespace } of names) unseen.delete(namespace);
    }
    if (part.kind === 'Failed' && part.namespace !== undefined) unseen.delete(part.namespace);
    yield part;
  }
}
