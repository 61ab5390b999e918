import { defaults } from '../../defaults.ts';
import { describeFault } from '../../fault.ts';
import type { OpenCluster } from '../../kube/cluster.ts';
import type { Policy } from '../../policy/policy.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { type Scan, ScanFold } from '../../report/scan/scan.ts';
import { renderScan } from '../../report/scan/table.ts';
import { listOf, renderEach } from '../../report/several.ts';
import { describeProblem } from '../../report/texts/warnings.ts';
import { scan } from '../../scan.ts';
import { areSeveral, type ClustersFlags } from '../flags/connection.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, type Said, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Stop } from '../stop.ts';
import type { Surroundings } from '../surroundings.ts';
import { withClusters } from '../with-clusters.ts';

export type ScanFlags = ClustersFlags & ScopeFlags & OutputFlags & Pick<PolicyFileFlags, 'policy'>;

/** One scan of each cluster that the flags name. */
export async function runScan(flags: ScanFlags, surroundings: Surroundings): Promise<number> {
  const policy = loadPolicy(flags);
  const scans = await withClusters(flags, surroundings, {
    use: (cluster, stop) => scanCluster(cluster, stop, policy, surroundings),
    unusable: scanOfUnusable,
  });
  const isOneOfSeveral = areSeveral(flags);
  await say(saidOf(scans, isOneOfSeveral), flags, surroundings);
  for (const { found, complaints } of scans) {
    const of = isOneOfSeveral ? `${found.cluster.context}: ` : '';
    for (const complaint of complaints) await complain(surroundings, `${of}${complaint}`);
  }
  const isRead = scans.every(({ found }) => found.unread.length === 0);
  return isRead ? exitCodes.resolved : exitCodes.unread;
}

/** What was found in a cluster, and what went wrong. */
interface Scanned {
  readonly found: Scan;
  readonly complaints: readonly string[];
}

async function scanCluster(
  cluster: OpenCluster,
  stop: Stop,
  policy: Policy,
  { env }: Surroundings,
): Promise<Scanned> {
  const problems: string[] = [];
  const faults: string[] = [];
  const found = await scan({
    where: { context: cluster.context, server: cluster.server },
    policy,
    cluster,
    warnings: cluster.warnings,
    self: ownPod(env),
    emit(event) {
      if (event.kind === 'ReadFailed') problems.push(describeProblem(event.problem, event.namespace));
      if (event.kind === 'FaultFound') faults.push(describeFault(event.fault));
    },
    concurrency: defaults.concurrency,
    stop: stop.signal,
  });
  return { found, complaints: [...problems, ...faults] };
}

/** A context that cannot be used: the others are scanned, and this one is told as unread. */
function scanOfUnusable(context: string, message: string): Scanned {
  const fold = new ScanFold();
  fold.hear({ kind: 'ReadFailed', namespace: undefined, problem: { kind: 'Unreachable', message } });
  return { found: fold.report({ context, server: '' }, undefined), complaints: [message] };
}

function saidOf(scans: readonly Scanned[], isOneOfSeveral: boolean): Said {
  const found = scans.map((one) => one.found);
  const [first] = found;
  if (first && !isOneOfSeveral) return { document: first, table: (style) => renderScan(first, style) };
  return {
    document: listOf('ScanList', found),
    table: (style) => renderEach(found, (one) => renderScan(one, style)),
  };
}
