import { setMaxListeners } from 'node:events';
import { applyPlan } from './apply/apply.ts';
import { createJobWatch } from './apply/job-reaction.ts';
import { createObserver } from './apply/observer.ts';
import { createSlots } from './apply/slots.ts';
import { judge } from './judge/judge.ts';
import { takeShard } from './judge/shard.ts';
import { planSweep } from './plan/plan.ts';
import type { Clock, Cluster, Emit } from './ports.ts';
import type { Candidate, Millis, Policy, RunInfo } from './types.ts';

export interface SweepOptions {
  readonly run: RunInfo;
  readonly policy: Policy;
  readonly cluster: Cluster;
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
  const { run, policy, cluster, clock, emit, concurrency, stop } = options;
  emit({ kind: 'SweepStarted', at: clock.now(), run, policy });

  const candidates: Candidate[] = [];
  let asOf: Millis = Number.NaN;
  let listed = 0;
  for await (const part of cluster.listPods(policy.scope, stop)) {
    switch (part.kind) {
      case 'Failed':
        emit({ kind: 'ReadFailed', namespace: part.namespace, problem: part.problem });
        break;
      case 'Inconsistent':
        emit({ kind: 'Warned', warning: { kind: 'ListInconsistent' } });
        break;
      case 'Page': {
        asOf = part.asOf;
        listed += part.pods.length;
        const { pods, malformed, otherShards } = takeShard(part, policy.scope.shard);
        emit({ kind: 'PageListed', pods: pods.length, malformed, otherShards });
        for (const pod of pods) {
          const verdict = judge(pod, policy, part.asOf);
          emit({ kind: 'PodJudged', verdict });
          if (verdict.kind === 'Candidate') candidates.push(verdict);
        }
        break;
      }
    }
  }

  const plan = planSweep(candidates, asOf);
  emit({ kind: 'PlanMade', plan });

  if (!run.dryRun) {
    const slots = createSlots(concurrency);
    const done = new AbortController();
    const cut = abortLater(stop, clock, done.signal);
    const observer = createObserver({ cluster, scope: policy.scope, clock, slots, stop, listed });
    const jobs = createJobWatch({ cluster, slots, clock, emit, stop, cut });
    await applyPlan(plan, { cluster, policy, clock, emit, slots, observer, jobs, stop, cut });
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
