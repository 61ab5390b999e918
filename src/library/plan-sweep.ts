import { randomUUID } from 'node:crypto';
import { systemClock } from '../clock.ts';
import type { Emit } from '../events.ts';
import { onAbort } from '../on-abort.ts';
import { ReportFold } from '../report/sweep/fold.ts';
import { drawUp, type SweepOptions, toolsFor } from '../sweep.ts';
import { version } from '../version.ts';
import { withSession } from './cluster.ts';
import { createListener } from './listener.ts';
import type { PlanOptions } from './options.ts';
import { parsePolicy } from './parse.ts';
import type { SweepPlan } from './plan.ts';
import { store } from './planned.ts';

/**
 * Finds the pods that finished sidecars keep running, and plans how to end those. Changes nothing in the cluster.
 *
 * Throws a `UsageError` if the options, the kubeconfig or the policy cannot be used. What the cluster does is no error: what
 * could not be listed is in `report.unread`, and a missing permission in `report.warnings`.
 */
export async function planSweep(options: PlanOptions = {}): Promise<SweepPlan> {
  const policy = parsePolicy(options.policy ?? {}, options.includePending ?? false);
  return withSession(options, async ({ cluster, concurrency, stop }) => {
    const fold = new ReportFold();
    const { hear, rethrow } = createListener(options.onEvent);
    const emit: Emit = (event) => {
      fold.hear(event);
      hear(event);
    };
    const { context, server } = cluster;
    const sweep: SweepOptions = {
      run: { id: randomUUID(), version, dryRun: true, context, server },
      policy,
      cluster,
      self: options.self,
      clock: systemClock,
      emit,
      concurrency,
      stop,
    };
    emit({ kind: 'SweepStarted', at: systemClock.now(), run: sweep.run, policy });
    onAbort(stop, () => emit({ kind: 'Stopping', reason: stop.reason }));
    for (const warning of cluster.warnings) emit({ kind: 'Warned', warning });
    const drawnUp = await drawUp(sweep, toolsFor(sweep));
    emit({ kind: 'SweepFinished', at: systemClock.now() });
    rethrow();
    return { report: fold.report(), work: store(drawnUp, { context: options.context, policy }) };
  });
}
