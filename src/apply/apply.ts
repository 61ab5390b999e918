import type { PodConclusion, PodPlan, PodReading, SweepPlan, TargetConclusion } from '../vocabulary.ts';
import { concludePod, concludeTarget, finishedWorkRunsAgain } from './conclude.ts';
import { type ApplyContext, type ApplyOptions, openContext } from './context.ts';
import { type Driven, driveTarget } from './drive.ts';
import { resortToPod } from './last-resort.ts';
import { observe } from './observation.ts';
import { askPermissions, withoutForbidden } from './permissions.ts';
import { readSettled } from './settle.ts';

/** Carries out a plan: all pods at once, bounded by the slots, which nobody holds while waiting. */
export async function applyPlan(plan: SweepPlan, options: ApplyOptions): Promise<void> {
  const { context, end } = openContext(plan, options);
  const { cluster, policy, slots, guard, emit, stop } = context;
  const permissions = await askPermissions(plan, cluster, slots, stop);
  const allowed = withoutForbidden(plan, permissions, policy.uncleanExit);
  for (const warning of permissions.warnings) emit({ kind: 'Warned', warning });
  if (permissions.warnings.length > 0) emit({ kind: 'PlanMade', plan: allowed });
  await Promise.all(allowed.pods.map((pod) => applyToPod(pod, allowed, context)));
  for (const warning of guard.warnings()) emit({ kind: 'Warned', warning });
  end();
}

async function applyToPod(podPlan: PodPlan, plan: SweepPlan, context: ApplyContext): Promise<void> {
  const { candidate, targets } = podPlan;
  const { pod } = candidate;
  const byThemselves = await Promise.all(targets.map((target) => driveTarget(podPlan, target, context)));
  const driven = await resortToPod(podPlan, byThemselves, context);
  const watched = driven.flatMap((one) => (one.kind === 'Open' ? [one.watched] : []));
  const reading: PodReading =
    watched.length > 0 ? await readSettled(pod, watched, context) : { kind: 'Present', pod, asOf: plan.asOf };
  const concluded = driven.map((one) => concludeDriven(one, reading));
  const outcomes = concluded.map(({ outcome }) => outcome);
  const outcome = concludePod(reading, outcomes, await context.jobWatch.reactionTo(reading));
  const conclusion: PodConclusion = { pod: pod.ref, targets: concluded, outcome };
  context.emit({ kind: 'PodConcluded', conclusion });
  if (finishedWorkRunsAgain(candidate, outcome)) {
    const { namespace, name } = pod.ref;
    context.emit({ kind: 'Warned', warning: { kind: 'FinishedWorkRunsAgain', namespace, name } });
  }
}

function concludeDriven(driven: Driven, reading: PodReading): TargetConclusion {
  const { attempts } = driven;
  if (driven.kind === 'Decided') {
    const { container, outcome } = driven;
    return { container, attempts, outcome, endedAt: undefined };
  }
  const { watched } = driven;
  const observation = observe(reading, watched);
  return {
    container: watched.container,
    attempts,
    outcome: concludeTarget(attempts, observation),
    endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
  };
}
