import { randomUUID } from 'node:crypto';
import { systemClock } from '../clock.ts';
import type { Emit } from '../events.ts';
import { type Difference, differenceFrom } from '../gather/identity.ts';
import { onAbort } from '../on-abort.ts';
import { withApplied } from '../report/sweep/applied.ts';
import { ReportFold } from '../report/sweep/fold.ts';
import { carryOut, toolsFor } from '../sweep.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import { withSession } from './cluster.ts';
import type { SweepReport } from './contract.ts';
import { createListener } from './listener.ts';
import type { ClusterOptions } from './options.ts';
import type { SweepPlan } from './plan.ts';
import { restore, type Work, workOf } from './planned.ts';

/**
 * Carries out a plan, and reports what a read of each pod showed afterwards. Each pod is read again before anything is sent to
 * it: one that has changed since the plan was made, and is no longer stuck, is left alone.
 *
 * Throws a `UsageError` before anything is sent, if the options cannot be used, the plan is for another cluster or of another
 * version. It takes no Lease: see to it that only one sweep of a cluster is applied at a time.
 */
export async function applySweep(plan: SweepPlan, options: ClusterOptions = {}): Promise<SweepReport> {
  const work = workOf(plan);
  const connection = work.context === undefined ? options : { context: work.context, ...options };
  return withSession(connection, async ({ cluster, concurrency, stop }) => {
    const { context, server } = cluster;
    const difference = await differenceFrom(plan.report.cluster, cluster, stop);
    if (difference) throw new UsageError(describeOther(difference));
    const fold = new ReportFold();
    const { hear, rethrow } = createListener(options.onEvent);
    const emit: Emit = (event) => {
      fold.hear(event);
      hear(event);
    };
    const { policy } = work;
    const run = { id: randomUUID(), version, dryRun: false, context, server };
    const drawnUp = restore(work);
    recall(plan, work, (event) => fold.hear(event), {
      kind: 'SweepStarted',
      at: systemClock.now(),
      run,
      policy,
    });
    onAbort(stop, () => emit({ kind: 'Stopping', reason: stop.reason }));
    const tools = { cluster, emit, concurrency };
    await carryOut(drawnUp, { ...tools, run, policy, clock: systemClock, stop }, toolsFor(tools));
    rethrow();
    return withApplied(plan.report, fold.report());
  });
}

function describeOther({ by, reported, found }: Difference): string {
  return by === 'uid'
    ? `the plan is for the cluster with the uid ${reported}, and this one has the uid ${found}`
    : `the plan is for ${reported}, and this cluster is ${found}`;
}

/** Tells a report what was found when the plan was made. */
function recall({ report }: SweepPlan, { asOf, pods }: Work, tell: Emit, started: Parameters<Emit>[0]): void {
  tell(started);
  for (const { candidate } of pods) tell({ kind: 'PodJudged', verdict: candidate });
  tell({ kind: 'PlanMade', plan: { asOf, pods, warnings: [] } });
  for (const warning of report.warnings) tell({ kind: 'Warned', warning });
}
