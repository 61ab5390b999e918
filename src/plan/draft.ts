import { timeToShow } from '../methods/command.ts';
import {
  describeStep,
  endsPod,
  methodNamed,
  newImageOf,
  type Step,
  type StepSpec,
} from '../methods/index.ts';
import type { Subject } from '../methods/method.ts';
import { bounds } from '../model/bounds.ts';
import type { ContainerOutcome, SkipReason } from '../model/outcome.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import { willRestart } from '../model/restarts.ts';
import type { Unfit } from '../model/step.ts';
import { isSwapUnderWay } from '../model/swap.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { findProfile, type Profile } from '../policy/profile.ts';
import { joinLadders, type Ladder, noLadder, toLadder } from './ladder.ts';
import { turnOf } from './order.ts';
import { ownersSteps } from './owners-steps.ts';
import { stepsOfProfile, withPromises } from './promises.ts';
import type { PodPlan, Target } from './sweep-plan.ts';

/** All steps for a pod, before it is known which of them may be taken. */
export interface PodDraft extends Pick<PodPlan, 'candidate' | 'targets'> {
  readonly swap: Step | undefined;
  readonly lastResort: readonly Step[];
  /** Whether the operator lets the Job's backoffLimit be raised for an image swap, which counts as a restart. */
  readonly wantsRaise: boolean;
}

/** Every step that could end the sidecars of a candidate, in order. */
export function draftPod(candidate: Candidate, policy: Policy, platform?: string): PodDraft {
  const { pod, sidecars } = candidate;
  const drafted = withoutDoubtfulSwaps(
    withinBounds(sidecars.map(({ container }) => draftTarget({ pod, container, platform }, policy))),
  );
  const podSteps = drafted.flatMap((one) => one.podSteps);
  const once = (steps: readonly Step[]) => onceEach(steps).map((step) => forPod(step, candidate));
  const isEarly = ({ source }: Step) => source.kind === 'Swap';
  return {
    candidate,
    targets: drafted.map(({ target }) => target),
    swap: once(podSteps.filter(isEarly))[0],
    lastResort: once(podSteps.filter((step) => !isEarly(step))),
    wantsRaise: policy.raiseBackoffLimit && podSteps.some(isSwap) && countsRestarts(pod),
  };
}

/** Only under OnFailure does a Job count restarts. */
function countsRestarts(pod: PodView): boolean {
  return pod.restartPolicy === 'OnFailure' && jobOf(pod) !== undefined;
}

function isSwap(step: Step): boolean {
  return newImageOf(step) !== undefined;
}

/**
 * A sidecar that has another image with its program, or a step that ends it with 0, does not keep others from being swapped for an
 * image that may lack its program.
 */
function withoutDoubtfulSwaps(drafted: readonly Drafted[]): readonly Drafted[] {
  const isKnown = ({ exitCode }: Step) => exitCode === 0;
  const swaps = drafted.flatMap(({ podSteps }) => podSteps.filter(isSwap));
  const known = swaps.filter(isKnown).map(newImageOf);
  return drafted.map(({ target, podSteps }) => {
    const own = target.kind === 'Planned' ? target.steps : [];
    if (![...podSteps.filter(isSwap), ...own].some(isKnown)) return { target, podSteps };
    const isLeft = (step: Step) => !isSwap(step) || isKnown(step) || !known.includes(newImageOf(step));
    return { target, podSteps: podSteps.filter(isLeft) };
  });
}

/** The kubelet ends swapped containers one after the other, each within the whole grace period. */
function forPod({ only, ...step }: Step, { sidecars, pod }: Candidate): Step {
  const waiting = isSwap(step) && only ? (only.length - 1) * pod.grace : 0;
  const isForAll = only === undefined || only.length === sidecars.length;
  return { ...step, grace: step.grace + waiting, ...(!isForAll && { only }) };
}

/** A pod is swapped, evicted or deleted once, whichever sidecar asks for it; the exit code is known if all agree on it. */
function onceEach(steps: readonly Step[]): readonly Step[] {
  const byMethod = new Map<string, Step>();
  for (const step of [...steps].reverse()) {
    const key = newImageOf(step) ?? (step.only ? describeStep(step) : step.method);
    const known = byMethod.get(key);
    const only = step.only && [...new Set([...step.only, ...(known?.only ?? [])])];
    const differs = known && (known.exitCode !== step.exitCode || describeStep(known) !== describeStep(step));
    const { promisedBy: _, ...unpromised } = step;
    const whyUnknown = step.whyUnknown ?? known?.whyUnknown;
    const unknown = { ...unpromised, exitCode: undefined, ...(whyUnknown && { whyUnknown }) };
    byMethod.set(key, { ...(differs ? unknown : step), ...(only && { only }) });
  }
  return [...byMethod.values()].reverse();
}

/** All of it or nothing: of a few sidecars that are ended, the others may have been the reason. */
function withinBounds(drafted: readonly Drafted[]): readonly Drafted[] {
  const steps = drafted.reduce(
    (sum, { target }) => sum + (target.kind === 'Planned' ? target.steps.length : 0),
    0,
  );
  if (steps <= bounds.steps) return drafted;
  return drafted.map((one) =>
    one.target.kind === 'Planned'
      ? skipFor(one.target, { kind: 'OverBound', what: 'steps', most: bounds.steps })
      : one,
  );
}

interface Drafted {
  readonly target: Target;
  /** The steps that reach beyond the container; those that need not end the whole pod are for this sidecar alone. */
  readonly podSteps: readonly Step[];
}

function draftTarget(of: Subject, policy: Policy): Drafted {
  const { pod, container } = of;
  const { name, id, image, state } = container;
  const profile = findProfile(policy.catalogue, pod, container);
  const known = { container: name, turn: turnOf(profile, pod, container) };
  if (state.kind === 'Terminated' && !willRestart(container, pod.restartPolicy, state.exitCode)) {
    return skip(known, { kind: 'AlreadyEnded', exitCode: state.exitCode });
  }
  if (state.kind !== 'Running' || id === undefined) {
    return skipFor(known, {
      kind: 'NotRunning',
      state: state.kind === 'Waiting' ? state.reason : state.kind,
    });
  }
  // The kubelet ends it and runs the no-op image. If a step ended it before that, its pod could fail.
  if (isSwapUnderWay(container, policy.noopImages)) {
    const outcome = { kind: 'StillRunning', because: { kind: 'SwapUnderWay' } } as const;
    return { target: { kind: 'Skipped', ...known, containerId: id, outcome, unfit: [] }, podSteps: [] };
  }
  const owners = ownersSteps(of, policy);
  if (owners.kind === 'Skip') return skipFor(known, owners.reason, owners.unfit);

  const ladder = joinLadders([
    owners.ladder,
    profile
      ? toLadder(stepsOfProfile(profile, container), { kind: 'Profile', profile: profile.name }, of)
      : noLadder,
    toLadder(defaultSteps(profile), { kind: 'Default' }, of),
    toLadder(policy.lastResort, { kind: 'LastResort' }, of),
    toLadder(policy.swap ? [policy.swap] : [], { kind: 'Swap' }, of),
  ]);
  const restartsAlways = willRestart(container, pod.restartPolicy, 0);
  const { steps, unfit } = restartsAlways ? withoutRestarts(ladder) : ladder;
  if (steps.length === 0) {
    return skipFor(known, { kind: restartsAlways ? 'RestartsAlways' : 'NoWay' }, unfit);
  }
  const isOwn = ({ method }: Step) => methodNamed(method).ends === 'Container';
  const own = withPromises(steps.filter(isOwn), of, policy);
  return {
    target: { kind: 'Planned', ...known, containerId: id, image, steps: own, uncertain: [], unfit },
    podSteps: steps
      .filter((step) => !isOwn(step))
      .map((step) => (endsPod(step.method) ? step : { ...step, only: [name] })),
  };
}

/**
 * A regular container with its own `restartPolicy: Always` starts again after every signal, and so does a no-op image in its
 * place: only the end of the pod ends it (recorded: container-restarts-always-term, container-restarts-always-swap).
 */
function withoutRestarts({ steps, unfit }: Ladder): Ladder {
  const detail = 'the kubelet restarts this container even if it exits with 0';
  const left = steps.filter(({ method }) => !endsPod(method));
  return {
    steps: steps.filter(({ method }) => endsPod(method)),
    unfit: [...unfit, ...left.map(({ method }) => ({ method, reason: 'RestartsAlways' as const, detail }))],
  };
}

const term: StepSpec = { method: 'Signal', signal: ['TERM'] };
const kill: StepSpec = { method: 'Signal', signal: ['KILL'], grace: timeToShow(0), exitCode: 137 };

/** A profile that mentions TERM has the last word on it, above all on the exit code. */
function defaultSteps(profile: Profile | undefined): readonly StepSpec[] {
  const mentionsTerm = profile?.steps.some(
    (step) => step.method === 'Signal' && step.signal.includes('TERM'),
  );
  return mentionsTerm ? [kill] : [term, kill];
}

type Skippable = Pick<Target, 'container' | 'turn'>;

function skipFor(target: Skippable, reason: SkipReason, unfit: readonly Unfit[] = []): Drafted {
  return skip(target, { kind: 'Skipped', reason }, unfit);
}

function skip(
  { container, turn }: Skippable,
  outcome: ContainerOutcome,
  unfit: readonly Unfit[] = [],
): Drafted {
  return { target: { kind: 'Skipped', container, turn, outcome, unfit }, podSteps: [] };
}
