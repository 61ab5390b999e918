import { explainPod, selectPods } from '../../explain.ts';
import type { OpenCluster } from '../../kube/cluster.ts';
import type { PodName } from '../../model/pod.ts';
import type { Policy } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { PodExplanation } from '../../report/explain/explanation.ts';

import { explanationMarkdown, renderExplanation, type Shown } from '../../report/explain/text.ts';
import { listOf } from '../../report/several.ts';
import { createSlots } from '../../util/concurrency.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { NamespaceFlags, ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, type Said, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Stop } from '../stop.ts';
import type { Surroundings } from '../surroundings.ts';
import { withCluster } from '../with-cluster.ts';

export type ExplainFlags = ConnectionFlags &
  OutputFlags &
  PolicyFileFlags &
  NamespaceFlags &
  Pick<ScopeFlags, 'minAge'> &
  Partial<Shown>;

/** Each makes several requests of its own. */
const podsAtOnce = 5;

/** Explains these pods, or without any those that the flags select. */
export async function runExplain(
  pods: readonly PodName[],
  flags: ExplainFlags,
  surroundings: Surroundings,
): Promise<number> {
  // A pod whose sidecar never started is explained without --include-pending too.
  const policy = loadPolicy({ ...flags, includePending: true });
  const { explained, unread, isStopped } = await withCluster(flags, surroundings, (cluster, stop) =>
    explainAll(pods, { cluster, stop, policy, surroundings }),
  );
  const isOne = pods.length === 1;
  if (explained.length > 0 || !isOne) {
    await say(saidOf(explained, isOne, { verbose: flags.verbose ?? false }), flags, surroundings);
  }
  if (explained.length + unread.length === 0) {
    await complain(surroundings, 'no pod with these labels could be stuck');
  }
  for (const why of unread) await complain(surroundings, why);
  if (unread.length === 0) return exitCodes.resolved;
  return isStopped ? exitCodes.stopped : exitCodes.unread;
}

interface Explaining {
  readonly cluster: OpenCluster;
  readonly stop: Stop;
  readonly policy: Policy;
  readonly surroundings: Surroundings;
}

async function explainAll(named: readonly PodName[], { cluster, stop, policy, surroundings }: Explaining) {
  const { signal } = stop;
  const { pods, unread } =
    named.length > 0 ? { pods: named, unread: [] } : await selectPods(policy, cluster, signal);
  const slots = createSlots(podsAtOnce);
  const { context, server, warnings } = cluster;
  const where = { context, server };
  const self = ownPod(surroundings.env);
  const all = await Promise.all(
    pods.map((pod) => slots(() => explainPod({ pod, policy, cluster, warnings, where, self, stop: signal }))),
  );
  return {
    explained: all.flatMap((one) => (one.kind === 'Explained' ? one.explanation : [])),
    unread: [...unread, ...new Set(all.flatMap((one) => (one.kind === 'Unread' ? one.why : [])))],
    isStopped: signal.aborted,
  };
}

function saidOf(explained: readonly PodExplanation[], isOne: boolean, shown: Shown): Said {
  const [first] = explained;
  return {
    document: isOne && first ? first : listOf('PodExplanationList', explained),
    table: (style) => explained.map((one) => renderExplanation(one, style, shown)).join('\n'),
    markdown: () => explained.map((one) => explanationMarkdown(one, shown)).join('\n'),
    records: () => explained,
  };
}
