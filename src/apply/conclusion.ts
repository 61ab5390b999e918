import { mayHaveWorked } from '../methods/attempt.ts';
import { concludeJob } from '../model/job-reaction.ts';
import { observe } from '../model/observation.ts';
import type { ContainerOutcome } from '../model/outcome.ts';
import { jobOf } from '../model/pod.ts';
import type { JobReading } from '../model/reading.ts';
import type { UncleanExit } from '../model/step.ts';
import type { Warning } from '../model/warning.ts';
import { harmOf } from '../plan/harm.ts';
import type { PodConclusion, TargetConclusion } from '../plan/sweep-event.ts';
import type { PlannedStep } from '../plan/sweep-plan.ts';
import type { Millis } from '../util/time.ts';
import { concludePod, concludeTarget } from './outcome.ts';
import { lastReading, type PodRun, podEndOf, podIn } from './pod-run.ts';
import { type SidecarRun, unprovenUntil } from './sidecar-run.ts';

/** Concludes a pod for which nothing more is done. */
export function concludeRun(
  run: PodRun,
  jobReading: JobReading | undefined,
  mode: UncleanExit,
  now: Millis,
): PodConclusion {
  const { candidate, uncleanCost } = run.plan;
  const { pod } = candidate;
  const end = podEndOf(run);
  const job = jobReading ? concludeJob(jobReading, podIn(run), end) : ({ kind: 'NoJob' } as const);
  const targets = run.sidecars.map((sidecar) => concludeSidecar(sidecar, run, now));
  const reading = lastReading(run);
  const outcome = concludePod(
    reading,
    targets.map((target) => target.outcome),
    job,
  );
  const attempts = run.sidecars.flatMap((one) => one.attempts);
  const unclean = targets.filter(endedUnclean);
  const ends = unclean.map(({ container, outcome: { exitCode } }) => ({ container, exitCode }));
  const isCut = run.stopping !== undefined;
  const deed = { candidate, cost: uncleanCost, attempts, seen: run.seen, end, job, ends, isCut };
  const harm = harmOf(deed);
  if (!harm) return { pod: pod.ref, targets, outcome };
  // Of a pod that is gone, the ends are not known any more.
  const blamed = unclean.length > 0 ? unclean : targets.filter(lastStepOf);
  const isOwners = blamed.every((target) => lastStepOf(target)?.promisedBy === 'Owner');
  const permitted = mode === 'allow' || isOwners;
  return { pod: pod.ref, targets, outcome, harm: { ...harm, permitted, job: jobOf(pod) } };
}

/** The step that ended the sidecar, or was sent last. */
function lastStepOf({ attempts }: TargetConclusion): PlannedStep | undefined {
  return attempts.findLast(mayHaveWorked)?.step;
}

export function warningOf({ pod, harm }: PodConclusion): Warning | undefined {
  if (!harm) return undefined;
  const { namespace, name } = pod;
  if (harm.kind === 'PodFailed' || !harm.job) return { kind: 'PodHarmed', namespace, name };
  return {
    kind: 'JobHarmed',
    namespace,
    name,
    job: harm.job.name,
    harm: harm.kind,
    ...(harm.expected && { expected: true }),
  };
}

interface UncleanTarget extends TargetConclusion {
  readonly outcome: Extract<ContainerOutcome, { readonly kind: 'Stopped' | 'Restarted' }>;
}

/** Whether this sweep ended a sidecar with a code other than 0, or with one that is unknown. */
function endedUnclean(target: TargetConclusion): target is UncleanTarget {
  const { outcome } = target;
  return (outcome.kind === 'Stopped' || outcome.kind === 'Restarted') && outcome.exitCode !== 0;
}

/** A sidecar that was left alone. */
const leftAlone = { isMesh: false, steps: [], uncertain: [] };

function concludeSidecar(sidecar: SidecarRun, run: PodRun, now: Millis): TargetConclusion {
  const { attempts } = sidecar;
  const reading = lastReading(run);
  switch (sidecar.kind) {
    case 'Closed': {
      const { container, watched, outcome } = sidecar;
      const seen = watched && observe(reading, watched);
      if (!seen || seen.kind === 'Running') return { container, attempts, outcome, endedAt: undefined };
      return { container, attempts, outcome: concludeTarget(leftAlone, [], seen, true), endedAt: undefined };
    }
    case 'Open': {
      const { target, watched } = sidecar;
      const seen = observe(reading, watched);
      const outcome = concludeTarget(target, attempts, seen, now >= unprovenUntil(sidecar));
      const endedAt = seen.kind === 'Exited' ? seen.finishedAt : undefined;
      return { container: target.container, attempts, outcome, endedAt };
    }
  }
}
