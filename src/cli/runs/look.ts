import { defaults } from '../../defaults.ts';
import type { SweepEvent } from '../../events.ts';
import { describeFault } from '../../fault.ts';
import type { OpenCluster } from '../../kube/cluster.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Style } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { Scan } from '../../report/scan/schema.ts';
import { listOf, markdownOfEach, renderEach } from '../../report/several.ts';
import { describeUnread } from '../../report/texts/warnings.ts';
import type { ScanOptions } from '../../scan.ts';
import type { RunInfo } from '../../vocabulary/run-info.ts';
import { areSeveral, type ClustersFlags } from '../flags/connection.ts';
import type { PolicyFileFlags } from '../flags/policy.ts';
import type { ScopeFlags } from '../flags/scope.ts';
import { complain, type OutputFlags, type Said, say } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import { loadPolicy } from '../policy.ts';
import type { Stop } from '../stop.ts';
import type { Surroundings } from '../surroundings.ts';
import { withClusters } from '../with-clusters.ts';

export type LookFlags = ClustersFlags & ScopeFlags & OutputFlags & Pick<PolicyFileFlags, 'policy'>;

/** A command that looks for stuck pods and changes nothing. */
interface LookCommand<Found> {
  look(options: ScanOptions & { readonly cluster: OpenCluster }): Promise<Found>;
  /** Of a cluster that cannot be used, what it hears is all there is to tell. */
  fold(): { hear(event: SweepEvent): void; report(where: Pick<RunInfo, 'context' | 'server'>): Found };
  /** The kind of a document with several of them. */
  readonly listKind: string;
  render(found: Found, style: Style): string;
  markdown(found: Found): string;
  records(found: Found): Iterable<object>;
  /** What was found, by the names that commands take. */
  names?(found: Found, policy: Policy): readonly string[];
}

/** Looks at each cluster that the flags name. */
export async function runLook<Found extends Pick<Scan, 'cluster' | 'unread'>>(
  command: LookCommand<Found>,
  flags: LookFlags,
  surroundings: Surroundings,
): Promise<number> {
  const policy = loadPolicy(flags);
  const looks = await withClusters(flags, surroundings, {
    use: (cluster, stop) => lookAt(command, cluster, stop, policy, surroundings),
    unusable: (context, message) => lookAtUnusable(command, context, message),
  });
  const isOneOfSeveral = areSeveral(flags);
  const found = looks.map((one) => one.found);
  await say(saidOf(command, found, isOneOfSeveral, policy), flags, surroundings);
  for (const { found, complaints } of looks) {
    const of = isOneOfSeveral ? `${found.cluster.context}: ` : '';
    for (const complaint of complaints) await complain(surroundings, `${of}${complaint}`);
  }
  if (found.every(({ unread }) => unread.length === 0)) return exitCodes.resolved;
  return looks.some(({ isStopped }) => isStopped) ? exitCodes.stopped : exitCodes.unread;
}

/** What was found in a cluster, and what went wrong. */
interface Look<Found> {
  readonly found: Found;
  readonly complaints: readonly string[];
  /** Whether a signal ended it, so that not all was read. */
  readonly isStopped: boolean;
}

async function lookAt<Found>(
  command: LookCommand<Found>,
  cluster: OpenCluster,
  stop: Stop,
  policy: Policy,
  { env }: Surroundings,
): Promise<Look<Found>> {
  const problems: string[] = [];
  const faults: string[] = [];
  const found = await command.look({
    where: { context: cluster.context, server: cluster.server },
    policy,
    cluster,
    warnings: cluster.warnings,
    self: ownPod(env),
    emit(event) {
      if (event.kind === 'ReadFailed') problems.push(describeUnread(event));
      if (event.kind === 'FaultFound') faults.push(describeFault(event.fault));
    },
    concurrency: defaults.concurrency,
    stop: stop.signal,
  });
  return { found, complaints: [...problems, ...faults], isStopped: stop.signal.aborted };
}

/** A context that cannot be used: the others are looked at, and this one is told as unread. */
function lookAtUnusable<Found>(command: LookCommand<Found>, context: string, message: string): Look<Found> {
  const fold = command.fold();
  fold.hear({ kind: 'ReadFailed', namespace: undefined, problem: { kind: 'Unreachable', message } });
  return { found: fold.report({ context, server: '' }), complaints: [message], isStopped: false };
}

function saidOf<Found extends Pick<Scan, 'cluster'>>(
  { listKind, render, markdown, records, names }: LookCommand<Found>,
  found: readonly Found[],
  isOneOfSeveral: boolean,
  policy: Policy,
): Said {
  const [first] = found;
  const each = {
    records: () => found.flatMap((one) => [...records(one)]),
    ...(names && { names: () => found.flatMap((one) => names(one, policy)) }),
  };
  if (first && !isOneOfSeveral) {
    return {
      ...each,
      document: first,
      table: (style) => render(first, style),
      markdown: () => markdown(first),
    };
  }
  return {
    ...each,
    document: listOf(listKind, found),
    table: (style) => renderEach(found, render, style),
    markdown: () => markdownOfEach(found, markdown),
  };
}
