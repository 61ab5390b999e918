import { defaults } from '../../defaults.ts';
import { describeFault } from '../../fault.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { renderScan } from '../../report/scan/table.ts';
import { describeProblem } from '../../report/texts/warnings.ts';
import { scan } from '../../scan.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { withCluster } from '../with-cluster.ts';

export type ScanFlags = ConnectionFlags & ScopeFlags & OutputFlags & Pick<PolicyFileFlags, 'policy'>;

export async function runScan(flags: ScanFlags, surroundings: Surroundings): Promise<number> {
  const policy = loadPolicy(flags);
  const problems: string[] = [];
  const faults: string[] = [];
  const found = await withCluster(flags, surroundings, (cluster, stop) =>
    scan({
      where: { context: cluster.context, server: cluster.server },
      policy,
      cluster,
      self: ownPod(surroundings.env),
      emit(event) {
        if (event.kind === 'ReadFailed') problems.push(describeProblem(event.problem, event.namespace));
        if (event.kind === 'FaultFound') faults.push(describeFault(event.fault));
      },
      concurrency: defaults.concurrency,
      stop: stop.signal,
    }),
  );
  await say({ document: found, table: (style) => renderScan(found, style) }, flags, surroundings);
  for (const problem of [...problems, ...faults]) await complain(surroundings, problem);
  return problems.length > 0 ? exitCodes.unread : exitCodes.resolved;
}
