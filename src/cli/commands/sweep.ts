import { randomUUID } from 'node:crypto';
import type { OpenCluster } from '../../kube/cluster.ts';
import { needs, withGrant } from '../../methods/permissions.ts';
import { faultOf, type Problem } from '../../model/reading.ts';
import type { RunInfo } from '../../model/scope.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import type { Policy } from '../../policy/policy.ts';
import { exitCodeOf, exitCodes } from '../../report/exit-code.ts';
import { jsonPieces } from '../../report/json.ts';
import { ReportFold } from '../../report/sweep/fold.ts';
import { sweep } from '../../sweep.ts';
import { aborted } from '../../util/concurrency.ts';
import { systemClock } from '../../util/time.ts';
import { UsageError } from '../../util/usage-error.ts';
import { version } from '../../util/version.ts';
import { readPods } from '../arguments.ts';
import { notesLease, ownPod, processName, takeLease, withCluster } from '../cluster.ts';
import { defaults, type FlagsOf } from '../flags.ts';
import { complain, type Io, print, ReaderStopped, WriteError, waitForReaders } from '../io.ts';
import { nextStep, printNextStep } from '../next-step.ts';
import { formatOfSweep, printOut, styleFor, sweepPrintout, withVerbose } from '../output.ts';
import { inContext, loadPolicy } from '../policy.ts';
import type { Stop } from '../signals.ts';
import { createPodEvents } from '../sweep/events.ts';
import { createLog } from '../sweep/log.ts';
import { prepareFiles } from '../sweep/output-files.ts';
import { publish } from '../sweep/publish.ts';
import { createProgress, type Progress } from '../terminal/progress.ts';
import { type Ask, createPrompt, mustAsk } from '../terminal/prompt.ts';

export async function runSweep(words: readonly string[], given: FlagsOf<'sweep'>, io: Io): Promise<number> {
  const { env, stderr } = io;
  const named = readPods(words, given);
  const pods = named.length > 0 ? named : undefined;
  const { labelSelector, shard, shards } = given;
  if (pods && [labelSelector, shard, shards].some((flag) => flag !== undefined)) {
    throw new UsageError('name the pods to sweep or select them with flags, not both');
  }
  const isAsking = mustAsk(given, io);
  const policy = loadPolicy(pods ? { ...given, pods } : given, env);
  const files = await prepareFiles({ ...policy, reportFile: given.reportFile });
  const shown = () => withVerbose(styleFor(stderr, given, env), given);
  const progress =
    stderr.isTTY && given.logLevel === undefined
      ? createProgress({ stream: stderr, style: shown, now: systemClock.now })
      : undefined;
  const prompt = createPrompt(io, shown, systemClock);
  const ask: Ask = (...about) => progress?.pausedFor(() => prompt(...about)) ?? prompt(...about);
  const options = { flags: given, policy, io, progress, ask: isAsking ? ask : undefined };
  const swept = await withCluster(given, io, (cluster, stop) => sweepCluster(cluster, stop, options));
  if (swept === undefined) return exitCodes.resolved;

  const { report, log, over } = swept;
  const exitCode = exitCodeOf(report, given.failOn);
  const wait = waitForReaders(io, over);
  const flags = { ...given, output: formatOfSweep(given, io) };
  await log.catchFailure(async () => files.reportFile?.(jsonPieces(report), wait));
  let isSaid = false;
  try {
    await printOut(sweepPrintout(report, flags), flags, io, wait);
    // The last record says how it ended.
    isSaid = flags.output === 'ndjson';
  } catch (error) {
    if (!(error instanceof ReaderStopped || error instanceof WriteError)) throw error;
    log.fail(`could not write the report: ${error.message}`);
  }
  // `advise` and `check-access` take namespaces instead of names of pods.
  const namespaces = pods ? [...new Set(pods.map(({ namespace }) => namespace))] : flags.namespaces;
  const allNamespaces = pods ? undefined : flags.allNamespaces;
  const next = nextStep(report, { ...flags, namespaces, allNamespaces }, io.program);
  await printNextStep(next, flags, io);
  await publish(report, exitCode, { policy, files, log, over, wait });
  await log.finish(report, exitCode, isSaid ? 'debug' : 'info');
  await wait(print(stderr, '')).catch(() => undefined);
  return exitCode;
}

interface SweepOptions {
  readonly flags: FlagsOf<'sweep'>;
  readonly policy: Policy;
  readonly io: Io;
  readonly progress: Progress | undefined;
  /** Asks before anything is sent; undefined if the sweep does not ask. */
  readonly ask: Ask | undefined;
}

/** Undefined if another sweep holds the Lease, and is sweeping. */
async function sweepCluster(
  cluster: OpenCluster,
  stop: Stop,
  { flags, io, progress, ask, ...options }: SweepOptions,
) {
  const policy = inContext(options.policy, flags, cluster);
  const { env, stderr } = io;
  const runId = randomUUID();
  // For a named pod, the report says why it is left alone.
  const fold = new ReportFold({ verbose: flags.verbose || policy.scope.pods !== undefined });
  const plain = stderr.isTTY === true;
  const level = flags.logLevel ?? (plain ? 'error' : 'info');
  const log = createLog({ stream: stderr, plain, level, runId });
  const podEvents = policy.events
    ? createPodEvents({ events: cluster, clock: systemClock, reporter: processName(env), log })
    : undefined;
  const emit: Emit = (event) => {
    fold.hear(event);
    progress?.hear(event);
    log.hear(event);
    podEvents?.hear(event);
  };
  stop.signal.addEventListener('abort', () => emit({ kind: 'Stopping', reason: stop.signal.reason }));
  for (const warning of cluster.warnings) emit({ kind: 'Warned', warning });
  const lease = await takeLease(flags, env, runId, {
    leases: cluster,
    shard: policy.scope.shard,
    stop: stop.signal,
    onLost: () => stop.now('LockLost'),
    onUnlocked(problem) {
      const message = withGrant(problem, needs.lease.rules);
      emit({ kind: 'Warned', warning: { kind: 'Unlocked', message } });
    },
  });
  if (lease.kind === 'Occupied') {
    const message = `nothing to do: ${lease.holder} is already sweeping`;
    if (plain) await complain(io, message);
    else await log.note(message, { event: 'LockOccupied', holder: lease.holder });
    return undefined;
  }
  const { context, server } = cluster;
  const { dryRun = false } = flags;
  const { clusterName } = policy;
  const run = { id: runId, version, dryRun, context, server, ...(clusterName && { clusterName }) };
  if (lease.kind === 'Unknown') reportUnread(run, policy, lease.problem, emit);
  else {
    const notes = notesLease(flags, env);
    await finishedOrCut(emit, stop, (emitInTime) =>
      sweep({
        run,
        policy,
        cluster,
        notebook: notes && cluster.notebook(notes),
        self: ownPod(env),
        clock: systemClock,
        emit: emitInTime,
        concurrency: flags.concurrency ?? defaults.concurrency,
        ...(ask && { confirm: () => ask(fold.report(), stop.signal) }),
        stop: stop.signal,
      }),
    );
  }
  // Events are writes as well: the next sweep begins after them.
  await podEvents?.finish(stop.late);
  if (lease.kind === 'Taken') await lease.release();
  return { report: fold.report(), log, over: stop.over };
}

/** Two sweeps at once could both send a step that one sweep would hold back. */
function reportUnread(run: RunInfo, policy: Policy, { kind, message }: Problem, emit: Emit): void {
  const unknown = 'it is unknown whether another sweep is running, because its Lease cannot be read';
  const problem = { kind, message: kind === 'Unreachable' ? message : `${unknown}: ${message}` };
  emit({ kind: 'SweepStarted', at: systemClock.now(), run, policy });
  const { namespaces } = policy.scope;
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    emit({ kind: 'ReadFailed', namespace, problem });
  }
  emit({ kind: 'SweepFinished', at: systemClock.now() });
}

/** After an error, the report is still printed. */
async function finishedOrCut(emit: Emit, stop: Stop, sweepWith: (emitInTime: Emit) => Promise<void>) {
  let isOver = false;
  // Events that come too late are not in the report.
  const emitInTime: Emit = (event) => {
    if (!isOver) emit(event);
  };
  const end = () => emitInTime({ kind: 'SweepFinished', at: systemClock.now(), isCut: true });
  try {
    await Promise.race([sweepWith(emitInTime), aborted(stop.late).then(end)]);
  } catch (error) {
    emit({ kind: 'FaultFound', fault: faultOf('sweeping', error) });
    stop.now('InternalError');
    end();
  } finally {
    isOver = true;
    stop.clearDeadline();
  }
}
