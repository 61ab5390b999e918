import { toFamilies } from '../../metrics/families.ts';
import { pushMetrics, textfileOf } from '../../metrics/publish.ts';
import type { SweepReport } from '../../report/schema.ts';
import { toDigest } from '../../report/sweep/digest.ts';
import type { WaitForReader } from '../unread.ts';
import type { Log } from './log.ts';
import type { SweepOrder } from './order.ts';

/** Best effort, after the report is printed: failures are logged and do not change the exit code. */
export async function publish(
  report: SweepReport,
  exitCode: number,
  { flags, files, isOneOfSeveral }: Pick<SweepOrder, 'flags' | 'files' | 'isOneOfSeveral'>,
  log: Log,
  over: AbortSignal,
  wait: WaitForReader,
): Promise<void> {
  const { pushgatewayUrl, metricsFile } = flags;
  const { metrics, terminationMessage } = files;
  const families = toFamilies(report, exitCode);
  const { shard } = report.scope;
  const { name, context } = report.cluster;
  const cluster = isOneOfSeveral ? context : name;
  const groupings = {
    ...(shard && { shard: String(shard.index) }),
    ...(cluster !== undefined && { cluster }),
  };
  const attempts = [
    terminationMessage &&
      attempt('the termination message', log, () => terminationMessage(toDigest(report, exitCode), wait)),
    metrics &&
      metricsFile !== undefined &&
      attempt('the metrics file', log, async () => metrics(await textfileOf(families, metricsFile), wait)),
    pushgatewayUrl !== undefined &&
      attempt('metrics to the Pushgateway', log, () =>
        pushMetrics(families, pushgatewayUrl, groupings, over),
      ),
  ];
  await Promise.all(attempts);
}

async function attempt(what: string, log: Log, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    log.fail(`could not write ${what}: ${reasonOf(error)}`);
  }
}

/** When `fetch` fails, only the cause of its error says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
