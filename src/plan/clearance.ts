import { endsPod, type Step } from '../methods/index.ts';
import type { JobFacts } from '../model/facts.ts';
import { willRestart } from '../model/pod.ts';
import type { Clearance, UncleanCost, UncleanExit } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';
import { costOf, type UncleanEnd, worst } from './cost.ts';
import type { PlannedStep } from './sweep-plan.ts';

/** What clearances depend on besides the step. */
export interface Stakes {
  readonly candidate: Candidate;
  readonly job: JobFacts | undefined;
  readonly mode: UncleanExit;
}

/** A step for these containers with what --unclean-exit says of it, before anything is known of how they end. */
export function withClearance(step: Step, containers: readonly string[], stakes: Stakes): PlannedStep {
  return { ...step, clearance: clearanceOf(step, containers, stakes) };
}

/** Whether the plan expects a step to be sent. */
export function isCleared({ clearance }: Pick<PlannedStep, 'clearance'>): boolean {
  switch (clearance) {
    case 'Free':
      return true;
    case 'AlreadyUnclean':
    case 'KnownUnclean':
    case 'Forbidden':
      return false;
  }
}

/** What it costs if one of these containers ends like this. */
export function worstCost(
  containers: readonly string[],
  end: Omit<UncleanEnd, 'container'>,
  { candidate, job }: Pick<Stakes, 'candidate' | 'job'>,
): UncleanCost {
  return worst(containers.map((container) => costOf(candidate, job, { container, ...end })));
}

function clearanceOf(step: Step, containers: readonly string[], stakes: Stakes): Clearance {
  const { exitCode } = step;
  if (stakes.mode === 'allow') return 'Free';
  if (costOfEnded(stakes).kind !== 'Nothing') return 'AlreadyUnclean';
  if (exitCode === 0 || isArgosOwn(step, stakes)) return 'Free';
  const withPod = endsPod(step.method);
  const cost = worstCost(containers, { exitCode, withPod }, stakes);
  if (cost.kind === 'Nothing') return 'Free';
  return exitCode === undefined ? 'Forbidden' : 'KnownUnclean';
}

/**
 * What the pod's end costs, however its running sidecars end: a sidecar that crashed before, and is not started again, fails the
 * pod as soon as nothing runs in it any more.
 */
function costOfEnded({ candidate, job }: Pick<Stakes, 'candidate' | 'job'>): UncleanCost {
  const { sidecars, pod } = candidate;
  const costs = sidecars.flatMap(({ container }) => {
    const { name, state } = container;
    if (state.kind !== 'Terminated' || state.exitCode === 0) return [];
    if (willRestart(container, pod.restartPolicy, state.exitCode)) return [];
    return [costOf(candidate, job, { container: name, exitCode: state.exitCode })];
  });
  return worst(costs);
}

/**
 * Argo Workflows itself ends its sidecars with the commands in its own annotations, and else with TERM and KILL, whatever their
 * exit codes: that is what the workflow's owner asked for.
 */
function isArgosOwn({ method, source }: Step, { candidate }: Stakes): boolean {
  if (candidate.pod.argo === undefined) return false;
  switch (source.kind) {
    case 'Annotation':
      return source.key.startsWith('workflows.argoproj.io/');
    case 'Default':
      return method === 'Signal';
    case 'Profile':
    case 'Swap':
    case 'LastResort':
      return false;
  }
}
