import { findProfile } from '../policy/match.ts';
import type { StepSpec } from '../policy/steps.ts';
import type {
  Candidate,
  Millis,
  PodPlan,
  PodStep,
  PodView,
  Policy,
  Profile,
  Sidecar,
  SkipReason,
  SweepPlan,
  Target,
} from '../vocabulary.ts';
import { profileSteps, timeToShow, toLadder } from './ladder.ts';
import { warnOfNoop } from './noop-warnings.ts';
import { ownersSteps } from './owners-steps.ts';
import { isProtected, predict } from './protect.ts';

/** What is to be done about every candidate: data, decided before anything is sent. */
export function planSweep(candidates: readonly Candidate[], policy: Policy, asOf: Millis): SweepPlan {
  const pods = candidates.map((candidate) => planPod(candidate, policy));
  return { asOf, pods, warnings: warnOfNoop(pods) };
}

function planPod(candidate: Candidate, policy: Policy): PodPlan {
  const planned = candidate.sidecars.map((sidecar) => planTarget(candidate.pod, sidecar, policy));
  const targets = planned.map(({ target }) => target);
  const lastResort = onceEach(planned.flatMap(({ podSteps }) => podSteps));
  return {
    candidate,
    targets,
    lastResort,
    isProtected: isProtected(candidate),
    prediction: predict(candidate, targets, lastResort, policy.uncleanExit),
  };
}

/** A pod is swapped, evicted or deleted once, whichever of its sidecars asks for it; its exit code is known if it is for all of them. */
function onceEach(steps: readonly PodStep[]): readonly PodStep[] {
  const byMethod = new Map<PodStep['method'], PodStep>();
  for (const step of [...steps].reverse()) {
    const known = byMethod.get(step.method);
    byMethod.set(
      step.method,
      known && known.exitCode !== step.exitCode ? { ...step, exitCode: undefined } : step,
    );
  }
  return [...byMethod.values()].reverse();
}

interface Planned {
  readonly target: Target;
  readonly podSteps: readonly PodStep[];
}

function planTarget(pod: PodView, { container }: Sidecar, policy: Policy): Planned {
  const { name, id, image, state } = container;
  if (state.kind === 'Terminated') {
    const outcome = { kind: 'AlreadyEnded', exitCode: state.exitCode } as const;
    return { target: { kind: 'Skipped', container: name, outcome }, podSteps: [] };
  }
  if (state.kind !== 'Running' || id === undefined) {
    return skip(name, { kind: 'NotRunning', state: state.kind === 'Waiting' ? state.reason : state.kind });
  }
  const owners = ownersSteps(pod, container, policy);
  if (owners.kind === 'Skip') return skip(name, owners.reason);

  const profile = findProfile(policy.catalogue, pod, container);
  const ladders = [
    owners.ladder,
    ...(profile ? [profileSteps(profile, pod, container)] : []),
    toLadder(defaultSteps(profile), { kind: 'Default' }, pod, container),
    toLadder(policy.lastResort, { kind: 'LastResort' }, pod, container),
  ];
  const steps = ladders.flatMap((ladder) => ladder.container);
  const podSteps = ladders.flatMap((ladder) => ladder.pod);
  const unfit = ladders.flatMap((ladder) => ladder.unfit);
  if (steps.length === 0 && podSteps.length === 0) return skip(name, { kind: 'NoWay' });
  const variant = JSON.stringify([container.command, container.args]);
  return {
    target: { kind: 'Planned', container: name, containerId: id, image, variant, steps, unfit },
    podSteps,
  };
}

const term: StepSpec = { signal: ['TERM'] };
const kill: StepSpec = { signal: ['KILL'], grace: timeToShow(0), exitCode: 137 };

/**
 * What can be tried on anything: TERM, then KILL where that can work at all. A profile that speaks of TERM has the last word on it,
 * on the exit code above all.
 */
function defaultSteps(profile: Profile | undefined): readonly StepSpec[] {
  const speaksOfTerm = profile?.steps.some((step) => 'signal' in step && step.signal.includes('TERM'));
  return speaksOfTerm ? [kill] : [term, kill];
}

function skip(container: string, reason: SkipReason): Planned {
  return { target: { kind: 'Skipped', container, outcome: { kind: 'Skipped', reason } }, podSteps: [] };
}
