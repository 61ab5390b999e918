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
  { flags, files }: Pick<SweepOrder, 'flags' | 'files'>,
  log: Log,
  over: AbortSignal,
  wait: WaitForReader,
): Promise<void> {
  const { pushgatewayUrl, metricsFile } = flags;
  const { metrics, terminationMessage } = files;
  const families = toFamilies(report, exitCode);
  const { shard } = report.scope;
  const { name: cluster } = report.cluster;
  const groupings = {
    ...(shard && { shard: String(shard.index) }),
    ...(cluster !== undefined && { cluster }),
  };
  const attempts = [
    terminationMessage && attempt(log, () => terminationMessage(toDigest(report, exitCode), wait)),
    metrics &&
      metricsFile !== undefined &&
      attempt(log, async () => metrics(await textfileOf(families, metricsFile), wait)),
    pushgatewayUrl !== undefined &&
      attempt(log, () => push(pushMetrics(families, pushgatewayUrl, groupings, over))),
  ];
  await Promise.all(attempts);
}

async function attempt(log: Log, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    log.fail(error instanceof Error ? error.message : String(error));
  }
}

/** When `fetch` fails, only the cause of its error says why. */
async function push(pushed: Promise<void>): Promise<void> {
  try {
    await pushed;
  } catch (error) {
    const { cause, message } = error instanceof Error ? error : { cause: undefined, message: String(error) };
    const reason = cause instanceof Error ? cause.message : message;
    throw new Error(`could not write metrics to the Pushgateway: ${reason}`, { cause: error });
  }
}
