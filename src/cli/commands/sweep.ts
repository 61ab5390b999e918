import { randomUUID } from 'node:crypto';
import type { OpenCluster } from '../../kube/cluster.ts';
import { needs, withGrant } from '../../methods/permissions.ts';
import type { PodName } from '../../model/pod.ts';
import { faultOf, type Problem } from '../../model/reading.ts';
import type { RunInfo } from '../../model/scope.ts';
import type { Emit, SweepEvent } from '../../plan/sweep-event.ts';
import type { Policy } from '../../policy/policy.ts';
import { exitCodeOf, exitCodes } from '../../report/exit-code.ts';
import { jsonPieces } from '../../report/json.ts';
import type { SweepReport } from '../../report/schema.ts';
import { ReportFold } from '../../report/sweep/fold.ts';
import { sweep } from '../../sweep.ts';
import { aborted } from '../../util/concurrency.ts';
import { systemClock } from '../../util/time.ts';
import { version } from '../../util/version.ts';
import { ownPod, processName, withCluster } from '../cluster.ts';
import { defaults, type FlagsOf } from '../flags.ts';
import { complain, type Io, print, ReaderStopped, WriteError, waitForReaders } from '../io.ts';
import { formatOfSweep, printOut, styleFor, withVerbose } from '../output.ts';
import { inContext, loadPolicy } from '../policy.ts';
import type { Stop } from '../signals.ts';
import { createPodEvents } from '../sweep/events.ts';
import { notesLease, takeLease } from '../sweep/lock.ts';
import { createLog, type Log } from '../sweep/log.ts';
import { prepareFiles } from '../sweep/output-files.ts';
import { nextStep, printNextStep, sweepPrintout } from '../sweep/printout.ts';
import { publish } from '../sweep/publish.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { type Ask, createPrompt, mustAsk } from '../terminal/prompt.ts';

interface SweepOptions {
  readonly flags: FlagsOf<'sweep'>;
  readonly policy: Policy;
  readonly io: Io;
  /** Undefined if none is shown. */
  readonly progress: Progress | undefined;
  /** Asks before anything is sent; undefined if the sweep does not ask. */
  readonly ask: Ask | undefined;
}

export async function runSweep(pods: readonly PodName[], flags: FlagsOf<'sweep'>, io: Io): Promise<number> {
  const { env, stderr } = io;
  const isAsking = mustAsk(flags, io);
  const policy = loadPolicy(pods.length > 0 ? { ...flags, pods } : flags, env);
  const files = await prepareFiles({ ...policy, reportFile: flags.reportFile });
  const shown = () => withVerbose(styleFor(stderr, flags, env), flags);
  const progress =
    stderr.isTTY && flags.logLevel === undefined
      ? createProgress({ stream: stderr, style: shown, now: systemClock.now })
      : undefined;
  const prompt = createPrompt(io, shown, systemClock);
  const ask: Ask = (...about) => progress?.pausedFor(() => prompt(...about)) ?? prompt(...about);
  const options = { flags, policy, io, progress, ask: isAsking ? ask : undefined };
  const swept = await withCluster(flags, io, (cluster, stop) => sweepCluster(cluster, stop, options));
  if (swept === undefined) return exitCodes.resolved;

  const { report, log, over } = swept;
  const exitCode = exitCodeOf(report, flags.failOn);
  const wait = waitForReaders(io, over);
  await log.failureOf(async () => files.report?.(jsonPieces(report), wait));
  const output = formatOfSweep(flags, io);
  let isSaid = false;
  try {
    await printOut(sweepPrintout(report, flags), { ...flags, output }, io, wait);
    // The last record says how it ended.
    isSaid = output === 'ndjson';
  } catch (error) {
    if (!(error instanceof ReaderStopped || error instanceof WriteError)) throw error;
    log.fail(`could not write the report: ${error.message}`);
  }
  // Other commands take no names of pods, but their namespaces.
  const namespaces = pods.length > 0 ? [...new Set(pods.map((pod) => pod.namespace))] : flags.namespaces;
  await printNextStep(nextStep(report, { ...flags, namespaces }, io.program), { ...flags, output }, io);
  await publish(report, exitCode, { policy, files, log, over, wait });
  await log.finish(report, exitCode, isSaid ? 'debug' : 'info');
  await wait(print(stderr, '')).catch(() => undefined);
  return exitCode;
}

interface Swept {
  readonly report: SweepReport;
  readonly log: Log;
  /** Aborted when time is up. */
  readonly over: AbortSignal;
}

/** One sweep of a cluster; undefined if another sweep holds the Lease, and so does the work. */
async function sweepCluster(
  cluster: OpenCluster,
  stop: Stop,
  options: SweepOptions,
): Promise<Swept | undefined> {
  const { flags, io, progress, ask } = options;
  const policy = inContext(options.policy, flags, cluster);
  const { dryRun = false, verbose = false } = flags;
  const { env, stderr } = io;
  const runId = randomUUID();
  // Of a pod that was named, the report says why it is left alone.
  const fold = new ReportFold({ verbose: verbose || policy.scope.pods !== undefined });
  const plain = stderr.isTTY === true;
  const log = createLog({
    stream: stderr,
    plain,
    level: flags.logLevel ?? (plain ? 'error' : 'info'),
    runId,
  });
  const reporter = processName(env);
  const podEvents = policy.events
    ? createPodEvents({ events: cluster, clock: systemClock, reporter, log })
    : undefined;
  const { emit, emitOnceListed } = holdUntilListed((event) => {
    fold.hear(event);
    progress?.hear(event);
    log.hear(event);
    podEvents?.hear(event);
  });
  stop.signal.addEventListener('abort', () => emit({ kind: 'Stopping', reason: stop.signal.reason }));
  for (const warning of cluster.warnings) emitOnceListed({ kind: 'Warned', warning });
  const lease = await takeLease({
    leases: cluster,
    flags,
    shard: policy.scope.shard,
    runId,
    env,
    stop: stop.signal,
    onLost: () => stop.now('LockLost'),
    onUnlocked(problem) {
      const message = withGrant(problem, needs.lease.rules);
      emitOnceListed({ kind: 'Warned', warning: { kind: 'Unlocked', message } });
    },
  });
  if (lease.kind === 'Occupied') {
    const message = `nothing to do: ${lease.holder} is already sweeping`;
    if (plain) await complain(io, message);
    else await log.note(message, { event: 'LockOccupied', holder: lease.holder });
    return undefined;
  }
  const { context, server } = cluster;
  const { clusterName } = policy;
  const run: RunInfo = {
    id: runId,
    version,
    dryRun,
    context,
    server,
    ...(clusterName !== undefined && { clusterName }),
  };
  if (lease.kind === 'Unknown') reportUnread(run, policy, lease.problem, emit);
  else
    await sweepUntilStopped(
      run,
      { ...options, policy },
      cluster,
      emit,
      stop,
      ask && (() => ask(fold.report(), stop.signal)),
    );
  progress?.stop();
  // Events are writes as well: the next sweep begins after them.
  await podEvents?.finish(stop.late);
  if (lease.kind === 'Taken') await lease.release();
  return { report: fold.report(), log, over: stop.over };
}

/** If listing fails, only that is reported: warnings have the same cause. */
export function holdUntilListed(emit: Emit): { readonly emit: Emit; readonly emitOnceListed: Emit } {
  let held: SweepEvent[] | undefined = [];
  return {
    emit(event) {
      emit(event);
      if (event.kind !== 'PageListed' || !held) return;
      const events = held;
      held = undefined;
      for (const each of events) emit(each);
    },
    emitOnceListed(event) {
      if (held) held.push(event);
      else emit(event);
    },
  };
}

/** A sweep that reads nothing: two sweeps at once could send a step twice that one of them would have held back. */
function reportUnread(run: RunInfo, policy: Policy, { kind, message }: Problem, emit: Emit): void {
  const why =
    kind === 'Unreachable'
      ? message
      : `it is unknown whether another sweep is running, because its Lease cannot be read: ${message}`;
  emit({ kind: 'SweepStarted', at: systemClock.now(), run, policy });
  const { namespaces } = policy.scope;
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    emit({ kind: 'ReadFailed', namespace, problem: { kind, message: why } });
  }
  emit({ kind: 'SweepFinished', at: systemClock.now() });
}

/** Runs the sweep until it is finished, or stopped and late. An error stops it, and the report is still printed. */
async function sweepUntilStopped(
  run: RunInfo,
  { flags, policy, io: { env } }: SweepOptions,
  cluster: OpenCluster,
  emit: Emit,
  stop: Stop,
  confirm: (() => Promise<boolean>) | undefined,
): Promise<void> {
  const notesOn = notesLease(flags, env);
  let isOver = false;
  // Events that come too late are not in the report.
  const emitInTime: Emit = (event) => {
    if (!isOver) emit(event);
  };
  const end = () => emitInTime({ kind: 'SweepFinished', at: systemClock.now(), isCut: true });
  const sweeping = sweep({
    run,
    policy,
    cluster,
    notebook: notesOn ? cluster.notebook(notesOn) : undefined,
    self: ownPod(env),
    clock: systemClock,
    emit: emitInTime,
    concurrency: flags.concurrency ?? defaults.concurrency,
    ...(confirm && { confirm }),
    stop: stop.signal,
  });
  try {
    await Promise.race([sweeping, aborted(stop.late).then(end)]);
  } catch (error) {
    emit({ kind: 'FaultFound', fault: faultOf('sweeping', error) });
    stop.now('InternalError');
    end();
  } finally {
    isOver = true;
    stop.clearDeadline();
  }
}
