import type { Millis } from './duration.ts';
import type { Emit } from './events.ts';
import { createGatherer } from './gather/gather.ts';
import type { JobReader } from './gather/jobs.ts';
import { createNodeReader } from './gather/nodes.ts';
import { takeShard } from './judge/shard.ts';
import type { Policy } from './policy/policy.ts';
import type { Cluster, Slots } from './ports.ts';
import { inTurns } from './turns.ts';
import type { Candidate, Facts } from './vocabulary.ts';

export interface LookOptions {
  readonly policy: Policy;
  readonly cluster: Pick<Cluster, 'findPods' | 'readNode' | 'listNodes'>;
  readonly emit: Emit;
  readonly slots: Slots;
  readonly jobs: JobReader;
  readonly self: Facts['self'];
  readonly stop: AbortSignal;
}

export interface Looked {
  readonly candidates: readonly Candidate[];
  /** What the verdicts depend on besides the pods. */
  readonly facts: Facts;
  /** The server's time at the last page; undefined if there was no page, or its time is unknown. */
  readonly asOf: Millis | undefined;
  readonly listed: number;
  /** How many of these are of our shard. */
  readonly ours: number;
}

/** Finds the pods of the policy's scope and judges them as they come; changes nothing. */
export async function look({ policy, cluster, emit, slots, jobs, self, stop }: LookOptions): Promise<Looked> {
  const nodes = createNodeReader(cluster, emit);
  const gatherer = createGatherer({ policy, self, jobs, nodes, slots, abort: stop });
  const { facts } = gatherer;
  const candidates: Candidate[] = [];
  let asOf: Millis | undefined;
  let listed = 0;
  let ours = 0;
  for await (const part of cluster.findPods(policy.scope, stop)) {
    switch (part.kind) {
      case 'Failed':
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
        for await (const verdict of inTurns(await gatherer.judgeAll(pods, asOf))) {
          emit({ kind: 'PodJudged', verdict });
          if (verdict.kind === 'Candidate') candidates.push(verdict);
        }
        break;
      }
    }
  }
  return { candidates, facts, asOf, listed, ours };
}
