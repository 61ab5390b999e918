import { randomUUID } from 'node:crypto';
import type { OpenCluster } from '../../kube/cluster.ts';
import { needs, withGrant } from '../../methods/permissions.ts';
import { faultOf, type Problem } from '../../model/reading.ts';
import type { RunInfo } from '../../model/scope.ts';
import type { Warning } from '../../model/warning.ts';
import type { Emit } from '../../plan/sweep-event.ts';
import { exitCodeOf } from '../../report/exit-code.ts';
import type { SweepReport } from '../../report/schema.ts';
import { sweep } from '../../sweep.ts';
import { aborted } from '../../util/concurrency.ts';
import { systemClock } from '../../util/time.ts';
import { version } from '../../util/version.ts';
import { complain } from '../output.ts';
import { ownPod } from '../own-pod.ts';
import type { Stop } from '../stop.ts';
import type { Surroundings } from '../surroundings.ts';
import type { WaitForReader } from '../unread.ts';
import { createListeners } from './listeners.ts';
import { enter, notesLease } from './lock.ts';
import type { Log } from './log.ts';
import { onceListed } from './once-listed.ts';
import type { SweepOrder } from './order.ts';
import { publish } from './publish.ts';
import { standAside } from './stand-aside.ts';

/** What came of the sweep of a cluster. */
export type Swept =
  | { readonly kind: 'LeftToOther' }
  | {
      readonly kind: 'Swept';
      readonly report: SweepReport;
      readonly exitCode: number;
      readonly log: Log;
      /** Aborted when time is up. */
      readonly over: AbortSignal;
      /** Publishes the result and ends the log, once the report is printed. */
      finish(wait: WaitForReader): Promise<void>;
    };

/** One sweep of a cluster. */
export async function sweepCluster(cluster: OpenCluster, stop: Stop, order: SweepOrder): Promise<Swept> {
  const { flags, policy, surroundings } = order;
  const { env } = surroundings;
  const { dryRun = false, clusterName } = flags;
  const runId = randomUUID();
  const listeners = createListeners(runId, cluster, order);
  const { fold, log } = listeners;
  const { emit, later } = onceListed(listeners.emit);
  stop.signal.addEventListener('abort', () => emit({ kind: 'Stopping', reason: stop.signal.reason }));
  for (const warning of cluster.warnings) later({ kind: 'Warned', warning });
  const entry = await enter({
    leases: cluster,
    flags,
    dryRun,
    shard: policy.scope.shard,
    runId,
    env,
    stop: stop.signal,
    onLost: () => stop.now('LockLost'),
    onUnlocked: (problem) => later({ kind: 'Warned', warning: unlockedBy(problem) }),
  });
  if (entry.kind === 'Occupied') return leaveToOther(entry.holder, log, surroundings);
  const { context, server } = cluster;
  const run = {
    id: runId,
    version,
    dryRun,
    context,
    server,
    ...(clusterName !== undefined && { clusterName }),
  };
  if (entry.kind === 'Unknown') standAside(run, policy, withoutLease(entry.problem), emit);
  else {
    const { ask } = order;
    const confirm = ask && (() => ask(fold.report(), stop.signal));
    await sweepUntilStopped(run, order, cluster, emit, stop, confirm);
  }
  // Events are writes as well: the next sweep begins after them.
  await listeners.finish(stop.late);
  if (entry.kind === 'Entered') await entry.leave();

  const report = fold.report();
  const exitCode = exitCodeOf(report, flags.failOn);
  const { over } = stop;
  const finish = async (wait: WaitForReader) => {
    await publish(report, exitCode, order, log, over, wait);
    await log.finish(report, exitCode);
  };
  return { kind: 'Swept', report, exitCode, log, over, finish };
}

/** Another sweep holds the Lease, so it does the work. */
async function leaveToOther(holder: string, log: Log, surroundings: Surroundings): Promise<Swept> {
  const message = `nothing to do: ${holder} is already sweeping`;
  if (surroundings.stderr.isTTY) await complain(surroundings, message);
  else await log.note(message, { event: 'LockOccupied', holder });
  return { kind: 'LeftToOther' };
}

/** Two sweeps at once could end twice what one of them would have held back. */
function withoutLease({ kind, message }: Problem): Problem {
  const told = `it is unknown whether another sweep is running, because its Lease cannot be read: ${message}`;
  return { kind, message: told };
}

function unlockedBy(problem: Problem): Warning {
  return { kind: 'Unlocked', message: withGrant(problem, needs.lease.rules) };
}

/** Runs the sweep until it is finished, or stopped and late. An error stops it, and the report is still printed. */
async function sweepUntilStopped(
  run: RunInfo,
  { flags, policy, surroundings: { env } }: SweepOrder,
  cluster: OpenCluster,
  emit: Emit,
  stop: Stop,
  confirm: (() => Promise<boolean>) | undefined,
): Promise<void> {
  const notesOn = notesLease(flags, env);
  let isOver = false;
  // What ends too late is not in the report.
  const heard: Emit = (event) => {
    if (!isOver) emit(event);
  };
  const end = () => heard({ kind: 'SweepFinished', at: systemClock.now(), isCut: true });
  const sweeping = sweep({
    run,
    policy,
    cluster,
    notebook: notesOn ? cluster.notebook(notesOn) : undefined,
    self: ownPod(env),
    clock: systemClock,
    emit: heard,
    concurrency: flags.concurrency,
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
