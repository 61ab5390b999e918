import type { Registry } from 'prom-client';
import type { Policy } from '../../policy/policy.ts';
import type { SweepReport } from '../../report/schema.ts';
import { toTerminationMessage } from '../../report/sweep/view.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';
import type { WaitForReader } from '../io.ts';
import type { Log } from './log.ts';
import type { OutputFiles } from './output-files.ts';

interface PublishOptions {
  readonly policy: Pick<Policy, 'pushgatewayUrl'>;
  readonly files: OutputFiles;
  readonly log: Log;
  readonly over: AbortSignal;
  readonly wait: WaitForReader;
}

/** Failures are logged, and do not change the exit code. */
export async function publish(
  report: SweepReport,
  exitCode: number,
  { policy: { pushgatewayUrl }, files, log, over, wait }: PublishOptions,
): Promise<void> {
  await Promise.all([
    log.catchFailure(async () => files.terminationMessage?.(toTerminationMessage(report, exitCode), wait)),
    log.catchFailure(async () => {
      if (pushgatewayUrl === undefined) return;
      const { shard } = report.scope;
      const { name } = report.cluster;
      const group = {
        ...(shard && { shard: String(shard.index) }),
        ...(name !== undefined && { cluster: name }),
      };
      // Most sweeps have no use for prom-client, which takes 2 MB.
      const { toMetrics } = await import('../../report/metrics.ts');
      await pushMetrics(toMetrics(report, exitCode), pushgatewayUrl, group, over);
    }),
  ]);
}

const pushTimeout: Millis = 5_000;

/**
 * A Pushgateway keeps metrics that are missing from the push: after a failure, the time of the last success. prom-client's own
 * Pushgateway has no timeout, and uses a deprecated API of Node, which prints a warning on stderr.
 */
async function pushMetrics(
  registry: Registry,
  gateway: string,
  group: Readonly<Record<string, string>>,
  over: AbortSignal,
): Promise<void> {
  const url = new URL(gateway);
  const login = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  try {
    const response = await fetch(`${url.origin}${url.pathname.replace(/\/$/, '')}${groupPath(group)}`, {
      method: 'POST',
      headers: {
        'content-type': registry.contentType,
        ...(url.username !== '' && { authorization: `Basic ${login.toString('base64')}` }),
      },
      body: await registry.metrics(),
      // A redirected POST becomes a GET, which a login page answers with 200.
      redirect: 'manual',
      signal: AbortSignal.any([over, AbortSignal.timeout(pushTimeout)]),
    });
    const to = response.headers.get('location');
    const what = to === null ? await response.text() : `it redirects to ${to}`;
    if (!response.ok) throw new Error(`HTTP ${response.status}: ${printable(what, 200)}`);
  } catch (error) {
    // When `fetch` fails, only the cause of its error says why.
    const why = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = why instanceof Error ? why.message : String(why);
    throw new Error(`could not write metrics to the Pushgateway: ${reason}`, { cause: error });
  }
}

/** A Pushgateway decodes the path before it splits it, so that a value with a slash needs base64. */
export function groupPath(group: Readonly<Record<string, string>>): string {
  const parts = Object.entries({ job: 'sidecar-sweeper', ...group }).map(([label, value]) =>
    value.includes('/')
      ? `/${label}@base64/${Buffer.from(value).toString('base64url')}`
      : `/${label}/${encodeURIComponent(value)}`,
  );
  return `/metrics${parts.join('')}`;
}
