import { paragraph } from '../../report/columns.ts';
import { exitCodes } from '../../report/exit-code.ts';
import { jsonPieces } from '../../report/json.ts';
import { podArgument } from '../../report/pod-argument.ts';
import { toRecords } from '../../report/records/write.ts';
import type { SweepReport } from '../../report/schema.ts';
import { sweepMarkdown } from '../../report/sweep/markdown.ts';
import { renderTable } from '../../report/sweep/table.ts';
import { systemClock } from '../../util/time.ts';
import type { SweepFlags } from '../flags/sweep.ts';
import { formatOfSweep, print, type Said, say } from '../output.ts';
import { loadPolicy } from '../policy.ts';
import { styleFor } from '../style.ts';
import type { Surroundings } from '../surroundings.ts';
import { Unread, type WaitForReader, waitForReaders } from '../unread.ts';
import { Unwritten } from '../unwritten.ts';
import { withCluster } from '../with-cluster.ts';
import { type Ask, askOn, isToAsk } from './confirm.ts';
import type { Log } from './log.ts';
import { nextOf } from './next.ts';
import type { SweepOrder } from './order.ts';
import type { WriteText } from './output-file.ts';
import { prepareFiles } from './output-files.ts';
import { createProgress } from './progress.ts';
import { chooseShard } from './shard.ts';
import { type Swept, sweepCluster } from './sweep-cluster.ts';

/** One sweep of the cluster that the flags name. */
export async function runSweep(flags: SweepFlags, surroundings: Surroundings): Promise<number> {
  const mustAsk = isToAsk(flags, surroundings);
  const policy = loadPolicy(flags, chooseShard(flags, surroundings.env));
  const files = await prepareFiles(flags);
  const { env, stderr } = surroundings;
  const style = () => styleFor(stderr, flags, env);
  const progress =
    stderr.isTTY && flags.logLevel === undefined
      ? createProgress({ stream: stderr, style, now: systemClock.now })
      : undefined;
  const askAlone = askOn(surroundings, style, systemClock);
  const askBetween: Ask = (...about) =>
    progress ? progress.pausedFor(() => askAlone(...about)) : askAlone(...about);
  const ask = mustAsk ? askBetween : undefined;
  const order: SweepOrder = { flags, policy, surroundings, files, progress, ask };
  const swept = await withCluster(flags, surroundings, (cluster, stop) => sweepCluster(cluster, stop, order));
  // Another sweep does the work, and there is nothing to say.
  if (swept.kind === 'LeftToOther') return exitCodes.resolved;
  const { report, exitCode, log, over } = swept;
  const wait = waitForReaders(surroundings, over);
  if (files.report) await writeReport(files.report, swept, wait);
  const said: Said = {
    document: report,
    table: (style) => renderTable(report, style),
    markdown: () => sweepMarkdown(report),
    records: () => toRecords(report),
    names: () => report.pods.map((pod) => podArgument(pod, policy.scope)),
  };
  const output = formatOfSweep(flags, surroundings);
  await say(said, { ...flags, output }, surroundings, wait).catch((error) => tellUnread(error, log));
  if (output === 'table' || output === 'wide') await sayNext(report, flags, surroundings);
  await swept.finish(wait);
  await wait(print(stderr, '')).catch(() => undefined);
  return exitCode;
}

type Reported = Extract<Swept, { readonly kind: 'Swept' }>;

/** The sweep is done, whatever becomes of the file. */
async function writeReport(write: WriteText, { report, log }: Reported, wait: WaitForReader): Promise<void> {
  try {
    await write(jsonPieces(report), wait);
  } catch (error) {
    log.fail(error instanceof Error ? error.message : String(error));
  }
}

/** The sweep is done, even if its report cannot be written. */
function tellUnread(error: unknown, log: Log): void {
  if (!(error instanceof Unread || error instanceof Unwritten)) throw error;
  log.fail(`could not write the report: ${error.message}`);
}

/** Only on a terminal, where a person has just read the table. */
async function sayNext(report: SweepReport, flags: SweepFlags, surroundings: Surroundings): Promise<void> {
  const { env, program, stdout, stderr } = surroundings;
  if (!stdout.isTTY || !stderr.isTTY) return;
  const next = nextOf(report, { ...flags, ...(program !== undefined && { program }) });
  if (!next) return;
  const why = paragraph(next.why, styleFor(stderr, flags, env));
  // Not wrapped, so that it can be copied.
  await print(stderr, `\n${why}\n${next.command === undefined ? '' : `  ${next.command}\n`}`);
}
