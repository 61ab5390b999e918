import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { defaults } from './cli/flags.ts';
import { createLog } from './cli/sweep/log.ts';
import { loadConfig } from './kube/auth/config.ts';
import { openCluster } from './kube/cluster.ts';
import type { Emit } from './plan/sweep-event.ts';
import { type Policy, resolvePolicy } from './policy/policy.ts';
import { policyFile, thePolicy } from './policy/policy-file.ts';
import { check } from './policy/validation.ts';
import type { SweepPolicy, SweepReport } from './report/documents.ts';
import { exitCodeOf } from './report/exit-code.ts';
import { ReportFold } from './report/sweep/fold.ts';
import { sweep as runSweep } from './sweep.ts';
import { onAbort } from './util/concurrency.ts';
import { parseDuration, systemClock } from './util/time.ts';
import { UsageError } from './util/usage-error.ts';
import { version } from './util/version.ts';

export type { PodReport, Profile, SweepPolicy, SweepReport } from './report/documents.ts';
/** The library: what the package exports. examples/library/README.md explains it. */
export { UsageError } from './util/usage-error.ts';

export interface SweepOptions {
  /**
   * The kubeconfig file. If omitted, the cluster is found the way kubectl does it: KUBECONFIG, ~/.kube/config and, in a pod,
   * the service account.
   */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig; the current one if omitted. */
  readonly context?: string;
  /** Where KUBECONFIG, HOME, proxies and the like are looked up; `process.env` if omitted. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long one request may take, such as `30s`, the default. */
  readonly requestTimeout?: string;
  /** How many requests may be in flight at once; 20 if omitted. */
  readonly concurrency?: number;
  /**
   * A policy as in a file, without `apiVersion` and `kind`. Without `namespaces`, all are looked at. Durations are text, such as `5m`. Events, metrics and the termination
   * message are written by the command alone.
   */
  readonly policy?: Omit<SweepPolicy, 'apiVersion' | 'kind'>;
  /** Whether to look at pods that never started as well. */
  readonly includePending?: boolean;
  /** The pod that this program runs in, which is left alone. */
  readonly self?: { readonly namespace: string; readonly name: string };
  /** Whether to end with the plan; then nothing is changed. */
  readonly dryRun?: boolean;
  /**
   * Is called once with the plan, as the report of a dry run, before anything is sent. Nothing is sent unless the answer is
   * true. Not called if there is nothing to do.
   */
  readonly confirm?: (plan: SweepReport) => boolean | Promise<boolean>;
  /**
   * Abort it to stop early: nothing more is sent, and the report says what became of each pod until then. Of
   * `AbortSignal.timeout()`, the report says that the deadline has passed.
   */
  readonly stop?: AbortSignal;
  /** Is called with each line of the log, which is the command's: a JSON object. docs/report.md has its fields. */
  readonly log?: (line: string) => void;
}

/**
 * Ends the sidecars that keep finished pods running, and reports what a read of each pod showed afterwards.
 *
 * Throws a `UsageError` if the options, the kubeconfig or the policy cannot be used; then nothing was sent. What the cluster does
 * is no error: what could not be listed is in `unread`, and a missing permission in `warnings`. What `confirm` or `log` throws is
 * thrown again once the sweep has ended in good order. It takes no Lease: see to it that only one sweep of a cluster runs at a
 * time.
 */
export async function sweep(options: SweepOptions = {}): Promise<SweepReport> {
  const { kubeconfig, context, env = process.env, concurrency = defaults.concurrency, confirm } = options;
  const policy = policyOf(options);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new UsageError('concurrency must be a whole number from 1');
  }
  const requestTimeout = parseDuration(options.requestTimeout ?? '30s');
  if (!requestTimeout) throw new UsageError('requestTimeout must be a duration such as 30s');
  const cluster = await openCluster(await loadConfig({ kubeconfig, context, env }), requestTimeout);
  const stopping = new AbortController();
  const stop = stopping.signal;
  const forget = options.stop && onAbort(options.stop, () => stopping.abort(reasonOf(options.stop)));
  // The first error of the caller's functions, which must not end a sweep halfway. None of them is called after it.
  let caught: { readonly error: unknown } | undefined;
  const call = async <T>(own: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return caught ? undefined : await own();
    } catch (error) {
      caught ??= { error };
      return undefined;
    }
  };
  try {
    const { dryRun = false } = options;
    const { context, server } = cluster;
    const { clusterName } = policy;
    const run = { id: randomUUID(), version, dryRun, context, server, ...(clusterName && { clusterName }) };
    const fold = new ReportFold();
    const stream = new Writable({
      decodeStrings: false,
      write(line, _encoding, done) {
        void call(() => options.log?.(String(line).trimEnd()));
        done();
      },
    });
    const log = createLog({ stream, level: options.log ? 'info' : 'silent', plain: false, runId: run.id });
    const emit: Emit = (event) => {
      fold.hear(event);
      log.hear(event);
    };
    onAbort(stop, () => emit({ kind: 'Stopping', reason: stop.reason }));
    for (const warning of cluster.warnings) emit({ kind: 'Warned', warning });
    await runSweep({
      run,
      policy,
      cluster,
      self: options.self,
      clock: systemClock,
      emit,
      concurrency,
      stop,
      ...(confirm && { confirm: async () => (await call(() => confirm(fold.report()))) === true }),
    });
    const report = fold.report();
    await log.finish(report, exitCodeOf(report));
    if (caught) throw caught.error;
    return report;
  } finally {
    forget?.();
    await cluster.close();
  }
}

function policyOf({ policy: written = {}, includePending = false }: SweepOptions): Policy {
  const whole = { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...written };
  const parsed = check(policyFile, whole, thePolicy);
  if (parsed.kind !== 'Valid') throw new UsageError(`the policy: ${parsed.problems[0]?.message}`);
  return resolvePolicy({ includePending }, parsed.data);
}

function reasonOf(stop: AbortSignal | undefined): 'Deadline' | 'Signal' {
  return stop?.reason instanceof Error && stop.reason.name === 'TimeoutError' ? 'Deadline' : 'Signal';
}
