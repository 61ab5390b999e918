import type { OpenCluster } from '../../kube/cluster.ts';
import { describeFault } from '../../model/reading.ts';
import { defaults } from '../../policy/defaults.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Style } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { Scan } from '../../report/scan/schema.ts';
import { describeUnread } from '../../report/texts/warnings.ts';
import type { ScanOptions } from '../../scan.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, type Said, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { withCluster } from '../with-cluster.ts';

export type LookFlags = ConnectionFlags & ScopeFlags & OutputFlags & Pick<PolicyFileFlags, 'policy'>;

/** A command that looks for stuck pods and changes nothing. */
interface LookCommand<Found> {
  look(options: ScanOptions & { readonly cluster: OpenCluster }): Promise<Found>;
  render(found: Found, style: Style): string;
  markdown(found: Found): string;
  records(found: Found): Iterable<object>;
  /** What was found, by the names that commands take. */
  names?(found: Found, policy: Policy): readonly string[];
}

/** Looks at the cluster that the flags name. */
export async function runLook<Found extends Pick<Scan, 'unread'>>(
  { look, render, markdown, records, names }: LookCommand<Found>,
  flags: LookFlags,
  surroundings: Surroundings,
): Promise<number> {
  const policy = loadPolicy(flags);
  const problems: string[] = [];
  const faults: string[] = [];
  const { found, isStopped } = await withCluster(flags, surroundings, async (cluster, { signal }) => {
    const found = await look({
      where: { context: cluster.context, server: cluster.server },
      policy,
      cluster,
      warnings: cluster.warnings,
      self: ownPod(surroundings.env),
      emit(event) {
        if (event.kind === 'ReadFailed') problems.push(describeUnread(event));
        if (event.kind === 'FaultFound') faults.push(describeFault(event.fault));
      },
      concurrency: defaults.concurrency,
      stop: signal,
    });
    return { found, isStopped: signal.aborted };
  });
  const said: Said = {
    document: found,
    table: (style) => render(found, style),
    markdown: () => markdown(found),
    records: () => records(found),
    ...(names && { names: () => names(found, policy) }),
  };
  await say(said, flags, surroundings);
  for (const complaint of [...problems, ...faults]) await complain(surroundings, complaint);
  if (found.unread.length === 0) return exitCodes.resolved;
  return isStopped ? exitCodes.stopped : exitCodes.unread;
}
