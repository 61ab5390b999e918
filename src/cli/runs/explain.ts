import { explainPod } from '../../explain.ts';
import type { Style } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderExplanation } from '../../report/explain/text.ts';
import type { PodName } from '../../vocabulary.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { withCluster } from '../with-cluster.ts';

export type ExplainFlags = ConnectionFlags & OutputFlags & PolicyFileFlags & Pick<ScopeFlags, 'minAge'>;

export async function runExplain(
  pod: PodName,
  flags: ExplainFlags,
  surroundings: Surroundings,
): Promise<number> {
  // A pod whose sidecar never started is explained without --include-pending too.
  const policy = loadPolicy({ ...flags, includePending: true });
  const explained = await withCluster(flags, surroundings, (cluster, stop) =>
    explainPod({
      pod,
      policy,
      cluster,
      warnings: cluster.warnings,
      where: { context: cluster.context, server: cluster.server },
      self: ownPod(surroundings.env),
      stop: stop.signal,
    }),
  );
  if (explained.kind === 'Unread') {
    const { reading } = explained;
    const why =
      reading.kind === 'Unreadable' ? `cannot be read: ${reading.problem.message}` : 'does not exist';
    await complain(surroundings, `the pod ${pod.namespace}/${pod.name} ${why}`);
    return exitCodes.unread;
  }
  const { explanation } = explained;
  const table = (style: Style) => renderExplanation(explanation, style);
  await say({ document: explanation, table }, flags, surroundings);
  return exitCodes.resolved;
}
