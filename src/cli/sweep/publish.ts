import { constants, writeFile } from 'node:fs/promises';
import { toFamilies } from '../../metrics/families.ts';
import { pushMetrics, writeMetrics } from '../../metrics/publish.ts';
import type { SweepReport } from '../../report/schema.ts';
import { toDigest } from '../../report/sweep/digest.ts';
import type { PublishFlags } from '../flags/publish.ts';
import type { Log } from './log.ts';

/** Best effort, after the report is printed: failures are logged and do not change the exit code. */
export async function publish(
  report: SweepReport,
  exitCode: number,
  { flags, isOneOfSeveral }: { readonly flags: PublishFlags; readonly isOneOfSeveral: boolean },
  log: Log,
): Promise<void> {
  const { pushgatewayUrl, metricsFile, terminationMessage } = flags;
  const families = toFamilies(report, exitCode);
  const { shard } = report.scope;
  const { name, context } = report.cluster;
  const cluster = isOneOfSeveral ? context : name;
  const groupings = {
    ...(shard && { shard: String(shard.index) }),
    ...(cluster !== undefined && { cluster }),
  };
  const attempts = [
    terminationMessage !== undefined &&
      attempt('the termination message', log, () =>
        writeFile(terminationMessage, toDigest(report, exitCode), { flag: withoutWaiting }),
      ),
    metricsFile !== undefined && attempt('the metrics file', log, () => writeMetrics(families, metricsFile)),
    pushgatewayUrl !== undefined &&
      attempt('metrics to the Pushgateway', log, () => pushMetrics(families, pushgatewayUrl, groupings)),
  ];
  await Promise.all(attempts);
}

/** Opened to wait, a pipe that nobody reads holds the process for ever. */
const { O_CREAT, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants;
const withoutWaiting = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK;

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
