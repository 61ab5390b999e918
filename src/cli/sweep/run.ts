import { randomUUID } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import type { Policy } from '../../policy/policy.ts';
import { paragraph } from '../../report/columns.ts';
import { exitCodeOf, exitCodes, worstOf } from '../../report/exit-code.ts';
import { jsonPieces } from '../../report/json.ts';
import { podArgument } from '../../report/pod-argument.ts';
import { toRecords } from '../../report/records/write.ts';
import { listOf, markdownOfEach, renderEach } from '../../report/several.ts';
import { ReportFold } from '../../report/sweep/fold.ts';
import { sweepMarkdown } from '../../report/sweep/markdown.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { UsageError } from '../../usage-error.ts';
import { version } from '../../version.ts';
import { areSeveral } from '../flags/connection.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import { formatOfSweep, print, type Said, say } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import { styleFor } from '../style.ts';
import type { Surroundings } from '../surroundings.ts';
import { Unread, type WaitForReader, waitForReaders } from '../unread.ts';
import { Unwritten } from '../unwritten.ts';
import { withClusters } from '../with-clusters.ts';
import { askOn, isToAsk } from './confirm.ts';
import { logFor } from './listeners.ts';
import { nextOf } from './next.ts';
import type { SweepOrder } from './order.ts';
import type { WriteText } from './output-file.ts';
import { prepareFiles } from './output-files.ts';
import { createProgress } from './progress.ts';
import { Question } from './question.ts';
import { chooseShard } from './shard.ts';
import { standAside } from './stand-aside.ts';
import { type Swept, sweepCluster } from './sweep-cluster.ts';

/** One sweep of each cluster that the flags name. */
export async function runSweep(flags: SweepFlags, surroundings: Surroundings): Promise<number> {
  const isOneOfSeveral = areSeveral(flags);
  if (isOneOfSeveral) refuseShared(flags);
  const mustAsk = isToAsk(flags, surroundings);
  const policy = loadPolicy(flags, chooseShard(flags, surroundings.env));
  const files = await prepareFiles(flags);
  const { env, stderr } = surroundings;
  const style = () => styleFor(stderr, flags, env);
  const board =
    stderr.isTTY && flags.logLevel === undefined
      ? createProgress({ stream: stderr, style, now: systemClock.now })
      : undefined;
  const ask = askOn(surroundings, style, systemClock);
  const question = mustAsk
    ? new Question((...about) => (board ? board.pausedFor(() => ask(...about)) : ask(...about)))
    : undefined;
  const progress = board?.join;
  const order: SweepOrder = { flags, policy, surroundings, files, isOneOfSeveral, progress, question };
  const all = await withClusters(flags, surroundings, {
    use: (cluster, stop) => sweepCluster(cluster, stop, order),
    unusable: (context, problem) => {
      question?.without(context);
      return reportUnusable(context, problem, order);
    },
    together: question && ((contexts) => question.expect(contexts)),
  });
  const swept = all.flatMap((one) => (one.kind === 'Swept' ? one : []));
  const said = saidOf(swept, isOneOfSeveral, policy);
  const output = formatOfSweep(flags, surroundings);
  const wait = waitForReaders(surroundings, AbortSignal.any(swept.map(({ over }) => over)));
  if (said && files.report) await writeReport(files.report, said, swept, wait);
  if (said) {
    const tell = (error: unknown) => tellUnread(error, swept);
    await say(said, { ...flags, output }, surroundings, wait).catch(tell);
  }
  if (output === 'table' || output === 'wide') await sayNext(swept, flags, surroundings);
  for (const { finish } of swept) await finish(wait);
  await wait(print(stderr, '')).catch(() => undefined);
  return worstOf([exitCodes.resolved, ...swept.map(({ exitCode }) => exitCode)]);
}

type Reported = Extract<Swept, { readonly kind: 'Swept' }>;

/** Undefined if there is nothing to say: another sweep does the work. */
function saidOf(swept: readonly Reported[], isOneOfSeveral: boolean, { scope }: Policy): Said | undefined {
  const reports = swept.map(({ report }) => report);
  const lines = {
    *records() {
      for (const report of reports) yield* toRecords(report);
    },
    names: () => reports.flatMap(({ pods }) => pods.map((pod) => podArgument(pod, scope))),
  };
  if (isOneOfSeveral) {
    return {
      ...lines,
      document: listOf('SweepReportList', reports),
      table: (style) => renderEach(reports, renderTable, style),
      markdown: () => markdownOfEach(reports, sweepMarkdown),
    };
  }
  const [report] = reports;
  return (
    report && {
      ...lines,
      document: report,
      table: (style) => renderTable(report, style),
      markdown: () => sweepMarkdown(report),
    }
  );
}

/** The sweep is done, whatever becomes of the file. */
async function writeReport(
  write: WriteText,
  { document }: Said,
  [first]: readonly Reported[],
  wait: WaitForReader,
): Promise<void> {
  try {
    await write(jsonPieces(document), wait);
  } catch (error) {
    first?.log.fail(error instanceof Error ? error.message : String(error));
  }
}

/** The sweep is done, whoever can read what it says. */
function tellUnread(error: unknown, [first]: readonly Reported[]): void {
  if (!(error instanceof Unread || error instanceof Unwritten)) throw error;
  first?.log.fail(`could not write the report: ${error.message}`);
}

/** For whoever sits in front of it and has just read the table. */
async function sayNext(
  swept: readonly Reported[],
  flags: SweepFlags,
  surroundings: Surroundings,
): Promise<void> {
  const { env, program, stdout, stderr } = surroundings;
  if (!stdout.isTTY || !stderr.isTTY) return;
  const next = nextOf(
    swept.map(({ report }) => report),
    { ...flags, ...(program !== undefined && { program }) },
  );
  if (!next) return;
  const why = paragraph(next.why, styleFor(stderr, flags, env));
  // Not wrapped, so that it can be copied.
  await print(stderr, `\n${why}\n${next.command === undefined ? '' : `  ${next.command}\n`}`);
}

/** Each sweep would write over what another one has written, and all clusters would have one name. */
function refuseShared({ metricsFile, terminationMessage, clusterName }: SweepFlags): void {
  const ofOne = [
    ['--metrics-file', metricsFile],
    ['--termination-message', terminationMessage],
    ['--cluster-name', clusterName],
  ] as const;
  const [flag] = ofOne.find(([, value]) => value !== undefined) ?? [];
  if (flag) throw new UsageError(`${flag} is for one cluster: sweep each context in a run of its own`);
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
  const exitCode = exitCodeOf(report, flags.failOn);
  const { signal: over } = new AbortController();
  return { kind: 'Swept', report, exitCode, log, over, finish: () => log.finish(report, exitCode) };
}
