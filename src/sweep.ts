import { applyPlan } from './apply/apply.ts';
import { createSlots } from './apply/slots.ts';
import { createJobReader } from './gather/jobs.ts';
import { look } from './look.ts';
import { planSweep } from './plan/plan.ts';
import type { Clock, Cluster, Emit } from './ports.ts';
import type { Facts, Policy, RunInfo } from './vocabulary.ts';

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

/** One sweep: list, judge, plan, apply. What happens is told by events; a dry run ends with the plan. */
export async function sweep(options: SweepOptions): Promise<void> {
  const { run, policy, cluster, self, clock, emit, concurrency, stop } = options;
  emit({ kind: 'SweepStarted', at: clock.now(), run, policy });

  const slots = createSlots(concurrency);
  const jobs = createJobReader(cluster, emit);
  const { candidates, facts, asOf, listed } = await look({ policy, cluster, emit, slots, jobs, self, stop });

  const plan = planSweep(candidates, policy, asOf);
  emit({ kind: 'PlanMade', plan });
  for (const warning of plan.warnings) emit({ kind: 'Warned', warning });

  if (!run.dryRun) {
    await applyPlan(plan, { cluster, policy, facts, jobs, slots, clock, emit, stop, listed });
  }
  emit({ kind: 'SweepFinished', at: clock.now() });
}
