import { setMaxListeners } from 'node:events';
import { applyPlan } from './apply/apply.ts';
import { createJobWatch } from './apply/job-reaction.ts';
import { createObserver } from './apply/observer.ts';
import { createSlots } from './apply/slots.ts';
import { createJobReader } from './gather/jobs.ts';
import { look } from './look.ts';
import { planSweep } from './plan/plan.ts';
import type { Clock, Cluster, Emit } from './ports.ts';
import type { Facts, Millis, Policy, RunInfo } from './types.ts';

export interface SweepOptions {
  readonly run: RunInfo;
  readonly policy: Policy;
  readonly cluster: Cluster;
  /** The pod that this process runs in, if it does. */
  readonly self: Facts['self'];
  readonly clock: Clock;
  readonly emit: Emit;
  /** Requests in flight at a time. */
  readonly concurrency: number;
  /** Abort it with a StopReason to end early; the report is complete all the same. */
  readonly stop: AbortSignal;
}

/** After a stop, requests that are under way get this long before they are cut. */
const timeToStop: Millis = 3_000;

/** One sweep: list, judge, plan, apply. What happens is told by events; a dry run ends with the plan. */
export async function sweep(options: SweepOptions): Promise<void> {
  const { run, policy, cluster, self, clock, emit, concurrency, stop } = options;
  emit({ kind: 'SweepStarted', at: clock.now(), run, policy });

  const slots = createSlots(concurrency);
  const jobs = createJobReader(cluster, emit);
  const { candidates, facts, asOf, listed } = await look({ policy, cluster, emit, slots, jobs, self, stop });

  const plan = planSweep(candidates, asOf);
  emit({ kind: 'PlanMade', plan });

  if (!run.dryRun) {
    const done = new AbortController();
    const cut = abortLater(stop, clock, done.signal);
    const observer = createObserver({ cluster, scope: policy.scope, clock, slots, stop, listed });
    const jobWatch = createJobWatch({ jobs, slots, clock, stop, cut });
    const context = { cluster, policy, facts, clock, emit, slots, observer, jobs: jobWatch, stop, cut };
    await applyPlan(plan, context);
    done.abort();
  }
  emit({ kind: 'SweepFinished', at: clock.now() });
}

/** A signal that follows another one with the time to stop between them, or at once when all is done. */
function abortLater(stop: AbortSignal, clock: Clock, done: AbortSignal): AbortSignal {
  const later = new AbortController();
  // Every request in flight and every wait listens; that is no leak.
  setMaxListeners(0, stop, later.signal);
  const follow = () => void clock.sleep(timeToStop, done).then(() => later.abort(stop.reason));
  if (stop.aborted) follow();
  else stop.addEventListener('abort', follow, { once: true });
  return later.signal;
}
