import type { PodName } from '../model/pod.ts';
import type { ListPart } from '../model/ports.ts';
import type { Facts } from '../model/reading.ts';
import { takeShard } from '../model/scope.ts';
import type { Candidate, Verdict } from '../model/verdict.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Policy } from '../policy/policy.ts';
import { inTurns } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { createGatherer } from './gather.ts';
import type { JobReader } from './jobs.ts';
import { type ReadOptions, reportMissing, selectNamespaces } from './readers.ts';

export interface JudgingOptions
  extends ReadOptions<'findPods' | 'readNode' | 'listNodes' | 'readNamespace' | 'listNamespaces'> {
  readonly policy: Policy;
  readonly jobs: JobReader;
  readonly self: Facts['self'];
}

export interface JudgedList {
  /** What the verdicts depend on besides the pods. */
  readonly facts: Facts;
  /** The server's time at the last page; undefined if there was no page, or its time is unknown. */
  readonly asOf: Millis | undefined;
  readonly listed: number;
  /** How many of these are in our shard. */
  readonly ours: number;
}

/** Batch size before facts are fetched: at most this many pods, of about 5 KB each, wait for them. */
const batchSize = 500;

/** Lists and judges pods, and keeps those that are stuck. */
export async function findCandidates(
  options: JudgingOptions,
): Promise<JudgedList & { readonly candidates: readonly Candidate[] }> {
  const candidates: Candidate[] = [];
  const emit: Emit = (event) => {
    options.emit(event);
    if (event.kind === 'PodJudged' && event.verdict.kind === 'Candidate') candidates.push(event.verdict);
  };
  return { ...(await judgePods({ ...options, emit })), candidates };
}

/** Lists the pods of the policy's scope and judges them as they arrive; changes nothing. */
export async function judgePods(options: JudgingOptions): Promise<JudgedList> {
  const { policy, cluster, emit, stop } = options;
  const selected = await selectNamespaces(policy.scope, cluster, stop);
  const { scope, problem } = selected;
  if (problem) emit({ kind: 'ReadFailed', namespace: undefined, problem, what: 'Namespace' });
  const gatherer = createGatherer({ ...options, selected });
  const unseen = new Set(policy.scope.namespaces);
  const report = (verdict: Verdict) => emit({ kind: 'PodJudged', verdict });
  const judgeWaiting = async () => {
    for await (const verdict of gatherer.judgeWaiting(asOf)) report(verdict);
  };
  let asOf: Millis | undefined;
  let listed = 0;
  let ours = 0;
  for await (const part of scope ? cluster.findPods(scope, stop) : []) {
    switch (part.kind) {
      case 'Failed':
        if (part.namespace !== undefined) unseen.delete(part.namespace);
        emit({ ...part, kind: 'ReadFailed' });
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
        for (const { namespace } of namesIn(part)) unseen.delete(namespace);
        for await (const pod of inTurns(pods)) {
          const verdict = gatherer.judge(pod, asOf);
          if (verdict) report(verdict);
        }
        if (gatherer.waiting >= batchSize) await judgeWaiting();
        break;
      }
    }
  }
  // Not before the list has ended, so that no request delays it, and those for many of a kind are made together.
  await judgeWaiting();
  if (!stop.aborted) await reportMissing([...unseen], options);
  return { facts: gatherer.facts, asOf, listed, ours };
}

type Page = Extract<ListPart, { readonly kind: 'Page' }>;

function namesIn({ pods, atWork = [], malformed }: Page): readonly PodName[] {
  return [...pods.map(({ ref }) => ref), ...atWork, ...malformed];
}
