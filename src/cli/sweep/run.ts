import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import type { Policy } from '../../policy/policy.ts';
import { exitCodeOf, exitCodes, worstOf } from '../../report/exit-code.ts';
import { podArgument } from '../../report/pod-argument.ts';
import { listOf, markdownOfEach, renderEach } from '../../report/several.ts';
import { ReportFold } from '../../report/sweep/fold.ts';
import { sweepMarkdown } from '../../report/sweep/markdown.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../usage-error.ts';
import { version } from '../../version.ts';
import { areSeveral } from '../flags/connection.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import { formatOfSweep, type Said, say } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import type { Surroundings } from '../surroundings.ts';
import { withClusters } from '../with-clusters.ts';
import { logFor } from './listeners.ts';
import type { SweepOrder } from './order.ts';
import { createProgress } from './progress.ts';
import { chooseShard } from './shard.ts';
import { standAside } from './stand-aside.ts';
import { type Swept, sweepCluster } from './sweep-cluster.ts';

/** V8 lets the heap grow to several times what is in use. Of a process that waits most of its time, it may look more often. */
const frugal = '--heap-growing-percent=30';

/** One sweep of each cluster that the flags name. */
export async function runSweep(flags: SweepFlags, surroundings: Surroundings): Promise<number> {
  setFlagsFromString(frugal);
  const isOneOfSeveral = areSeveral(flags);
  if (isOneOfSeveral) refuseSharedFiles(flags);
  const policy = loadPolicy(flags, chooseShard(flags, surroundings.env));
  const { stderr } = surroundings;
  const progress = stderr.isTTY && flags.logLevel === undefined ? createProgress(stderr) : undefined;
  const order: SweepOrder = { flags, policy, surroundings, isOneOfSeveral, progress };
  const all = await withClusters(flags, surroundings, {
    use: (cluster, stop) => sweepCluster(cluster, stop, order),
    unusable: (context, problem) => reportUnusable(context, problem, order),
  });
  const swept = all.flatMap((one) => (one.kind === 'Swept' ? one : []));
  const said = saidOf(swept, isOneOfSeveral, policy);
  if (said) await say(said, { output: formatOfSweep(flags, surroundings) }, surroundings);
  for (const { finish } of swept) await finish();
  for (const { failure } of swept) if (failure !== undefined) throw failure;
  return worstOf([exitCodes.resolved, ...swept.map(({ exitCode }) => exitCode)]);
}

type Reported = Extract<Swept, { readonly kind: 'Swept' }>;

/** Undefined if there is nothing to say: another sweep does the work. */
function saidOf(swept: readonly Reported[], isOneOfSeveral: boolean, { scope }: Policy): Said | undefined {
  const reports = swept.map(({ report }) => report);
  const names = () => reports.flatMap(({ pods }) => pods.map((pod) => podArgument(pod, scope)));
  if (isOneOfSeveral) {
    return {
      document: listOf('SweepReportList', reports),
      table: (style) => renderEach(reports, (report) => renderTable(report, style)),
      markdown: () => markdownOfEach(reports, sweepMarkdown),
      names,
    };
  }
  const [report] = reports;
  return (
    report && {
      document: report,
      table: (style) => renderTable(report, style),
      markdown: () => sweepMarkdown(report),
      names,
    }
  );
}

/** Each sweep would write over what another one has written. */
function refuseSharedFiles({ metricsFile, terminationMessage }: SweepFlags): void {
  const flag = metricsFile !== undefined ? '--metrics-file' : '--termination-message';
  if (metricsFile === undefined && terminationMessage === undefined) return;
  throw new UsageError(`${flag} is for one cluster: sweep each context in a run of its own`);
}

/** A context that cannot be used: the others are swept, and this one is told as unread. */
function reportUnusable(context: string, message: string, order: SweepOrder): Swept {
  const { flags, policy } = order;
  const id = randomUUID();
  const fold = new ReportFold();
  const log = logFor(id, context, order);
  standAside(
    { id, version, dryRun: flags.dryRun ?? false, context, server: '' },
    policy,
    { kind: 'Unreachable', message },
    (event) => {
      fold.hear(event);
      log.hear(event);
    },
  );
  const report = fold.report();
  const exitCode = exitCodeOf(report);
  return { kind: 'Swept', report, exitCode, failure: undefined, finish: () => log.finish(report, exitCode) };
}
