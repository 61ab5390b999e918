import type { PodName } from '../model/pod.ts';
import type { Cluster, ListPart } from '../model/ports.ts';
import type { Facts } from '../model/reading.ts';
import { takeShard } from '../model/scope.ts';
import type { Candidate, Verdict } from '../model/verdict.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns, type Slots } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { createGatherer } from './gather.ts';
import type { JobReader } from './jobs.ts';
import { createNamespaceReader, narrowed, reportMissing, selectNamespaces } from './namespaces.ts';
import { createNodeReader } from './readers.ts';

export interface LookOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'findPods' | 'readNode' | 'listNodes' | 'readNamespace' | 'listNamespaces'>;
  readonly emit: Emit;
  readonly slots: Slots;
  readonly jobs: JobReader;
  readonly self: Facts['self'];
  readonly stop: AbortSignal;
}

export interface Looked {
  /** What the verdicts depend on besides the pods. */
  readonly facts: Facts;
  /** The server's time at the last page; undefined if there was no page, or its time is unknown. */
  readonly asOf: Millis | undefined;
  readonly listed: number;
  /** How many of these are of our shard. */
  readonly ours: number;
}

/** Batch size before facts are fetched: at most this many pods, of about 5 KB each, wait for them. */
const batchSize = 500;

/** Looks, and keeps the pods that are stuck. */
export async function lookForCandidates(
  options: LookOptions,
): Promise<Looked & { readonly candidates: readonly Candidate[] }> {
  const candidates: Candidate[] = [];
  const emit: Emit = (event) => {
    options.emit(event);
    if (event.kind === 'PodJudged' && event.verdict.kind === 'Candidate') candidates.push(event.verdict);
  };
  return { ...(await look({ ...options, emit })), candidates };
}

/** Finds the pods of the policy's scope and judges them as they come; changes nothing. */
export async function look(options: LookOptions): Promise<Looked> {
  const { policy, cluster, emit, slots, jobs, self, stop } = options;
  const selected = await selectNamespaces(policy.scope, cluster, stop);
  if (selected.kind === 'Unreadable') {
    const { problem } = selected;
    emit({ kind: 'ReadFailed', namespace: undefined, problem, what: 'Namespace' });
  }
  const scope = narrowed(policy.scope, selected);
  const nodes = createNodeReader(cluster, emit);
  const namespaces = createNamespaceReader(cluster, emit);
  const gatherer = createGatherer({
    policy,
    self,
    jobs,
    nodes,
    namespaces,
    selectedNamespaces: selected.kind === 'Selected' ? selected.names : undefined,
    slots,
    abort: stop,
  });
  const { facts } = gatherer;
  const unseen = new Set(policy.scope.namespaces);
  const hear = (verdict: Verdict) => emit({ kind: 'PodJudged', verdict });
  const judgeWaiting = async () => {
    for await (const verdict of inTurns(await gatherer.judgeWaiting(asOf))) hear(verdict);
  };
  let asOf: Millis | undefined;
  let listed = 0;
  let ours = 0;
  for await (const part of scope ? cluster.findPods(scope, stop) : []) {
    switch (part.kind) {
      case 'Failed':
        if (part.namespace !== undefined) unseen.delete(part.namespace);
        emit({ kind: 'ReadFailed', namespace: part.namespace, problem: part.problem });
        break;
      case 'Inconsistent':
        emit({ kind: 'Warned', warning: { kind: 'ListInconsistent' } });
        break;
      case 'Page': {
        asOf = part.asOf;
        listed += part.pods.length + (part.atWork?.length ?? 0);
        const { pods, malformed, atWork, otherShards } = takeShard(part, policy.scope.shard);
        const own = pods.length + atWork.length;
        ours += own;
        emit({ kind: 'PageListed', pods: own, atWork, malformed, otherShards });
        for (const { namespace } of refsOf(part)) unseen.delete(namespace);
        for await (const pod of inTurns(pods)) {
          const verdict = gatherer.judge(pod, asOf);
          if (verdict) hear(verdict);
        }
        if (gatherer.waiting >= batchSize) await judgeWaiting();
        break;
      }
    }
  }
  // Only now, so that no request holds up the list, and those for many of a kind are made together.
  await judgeWaiting();
  if (!stop.aborted) await reportMissing([...unseen], { cluster, slots, emit, stop });
  return { facts, asOf, listed, ours };
}

type Page = Extract<ListPart, { readonly kind: 'Page' }>;

function refsOf({ pods, atWork = [], malformed }: Page): readonly PodName[] {
  return [...pods.map(({ ref }) => ref), ...atWork, ...malformed];
}
