import { timeToShow } from '../methods/command.ts';
import {
  describeStep,
  endsPod,
  methodNamed,
  newImageOf,
  type Step,
  type StepSpec,
} from '../methods/index.ts';
import { bounds } from '../model/bounds.ts';
import type { ContainerOutcome, SkipReason } from '../model/outcome.ts';
import { type ContainerView, jobOf, type PodView } from '../model/pod.ts';
import { willRestart } from '../model/restarts.ts';
import type { Unfit } from '../model/step.ts';
import { isSwapUnderWay } from '../model/swap.ts';
import type { Candidate, Sidecar } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { findProfile, type Profile } from '../policy/profile.ts';
import { joinLadders, type Ladder, noLadder, toLadder } from './ladder.ts';
import { turnOf } from './order.ts';
import { ownersSteps } from './owners-steps.ts';
import { stepsOfProfile, withPromises } from './promises.ts';
import type { SkippedTarget, Turn } from './sweep-plan.ts';

/** The steps for a pod, before it is known which of them the account may take. */
export interface PodDraft {
  readonly candidate: Candidate;
  readonly targets: readonly DraftTarget[];
  /** The image swap that is allowed before any step whose result is uncertain. */
  readonly swap: Step | undefined;
  /** The sidecars whose images can be swapped, now or as a last resort. */
  readonly swappable: readonly string[];
  /** The images that are meant for each of these. */
  readonly swapImages: Readonly<Record<string, readonly string[]>>;
  /** Steps for the whole pod. */
  readonly lastResort: readonly Step[];
  /** Whether the operator lets the Job's backoffLimit be raised for an image swap, which counts as a restart. */
  readonly wantsRaise: boolean;
}

export type DraftTarget =
  | {
      readonly kind: 'Drafted';
      readonly container: string;
      readonly containerId: string;
      readonly view: ContainerView;
      readonly turn: Turn;
      readonly steps: readonly Step[];
      readonly unfit: readonly Unfit[];
    }
  | SkippedTarget;

/** Every step that could end the sidecars of a candidate, in order. */
export function draftPod(candidate: Candidate, policy: Policy): PodDraft {
  const drafted = withoutDoubtfulSwaps(
    withinBounds(candidate.sidecars.map((sidecar) => draftTarget(candidate.pod, sidecar, policy))),
  );
  const images = drafted
    .map((one) => [one.target.container, swapsOf(one).flatMap((step) => newImageOf(step) ?? [])] as const)
    .filter(([, own]) => own.length > 0);
  const swappable = images.map(([container]) => container);
  // The kubelet ends one after the other, each within the whole grace period.
  const waiting = (swappable.length - 1) * candidate.pod.grace;
  const inTurn = (steps: readonly Step[]) =>
    onceEach(steps).map((step) => (isSwap(step) ? { ...step, grace: step.grace + waiting } : step));
  return {
    candidate,
    targets: drafted.map(({ target }) => target),
    swap: inTurn(drafted.flatMap(({ swap }) => swap ?? []))[0],
    swappable,
    swapImages: Object.fromEntries(images.map(([container, own]) => [container, [...new Set(own)]])),
    lastResort: inTurn(
      drafted.flatMap(({ target, podSteps }) => podSteps.map((step) => forOne(step, target.container))),
    ).map((step) => forAll(step, drafted.length)),
    wantsRaise: policy.raiseBackoffLimit && swappable.length > 0 && countsRestarts(candidate.pod),
  };
}

/** Only under OnFailure does a Job count restarts. */
function countsRestarts(pod: PodView): boolean {
  return pod.restartPolicy === 'OnFailure' && jobOf(pod) !== undefined;
}

function isSwap(step: Step): boolean {
  return newImageOf(step) !== undefined;
}

function swapsOf({ swap, podSteps }: Pick<Drafted, 'swap' | 'podSteps'>): readonly Step[] {
  return [...(swap ? [swap] : []), ...podSteps].filter(isSwap);
}

/**
 * A sidecar that has another image with its program, or a step that ends it with 0, does not keep others from being swapped for an
 * image that may lack its program.
 */
function withoutDoubtfulSwaps(drafted: readonly Drafted[]): readonly Drafted[] {
  const isKnown = ({ exitCode }: Step) => exitCode === 0;
  const known = drafted.flatMap(swapsOf).filter(isKnown).map(newImageOf);
  return drafted.map((one) => {
    const own = one.target.kind === 'Drafted' ? one.target.steps : [];
    if (![...swapsOf(one), ...own].some(isKnown)) return one;
    const isLeft = (step: Step) => !isSwap(step) || isKnown(step) || !known.includes(newImageOf(step));
    const { swap, podSteps } = one;
    return { ...one, swap: swap && isLeft(swap) ? swap : undefined, podSteps: podSteps.filter(isLeft) };
  });
}

/** An ephemeral container is only added for the sidecars whose steps have it: the exit code that it promises is theirs. */
function forOne(step: Step, container: string): Step {
  return step.method === 'EphemeralContainer' ? { ...step, only: [container] } : step;
}

function forAll({ only, ...step }: Step, sidecars: number): Step {
  return only === undefined || only.length === sidecars ? step : { ...step, only };
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
    (sum, { target }) => sum + (target.kind === 'Drafted' ? target.steps.length : 0),
    0,
  );
  if (steps <= bounds.steps) return drafted;
  return drafted.map((one) =>
    one.target.kind === 'Drafted'
      ? skipFor(one.target, { kind: 'OverBound', what: 'steps', most: bounds.steps })
      : one,
  );
}

interface Drafted {
  readonly target: DraftTarget;
  readonly swap: Step | undefined;
  readonly podSteps: readonly Step[];
}

function draftTarget(pod: PodView, { container }: Sidecar, policy: Policy): Drafted {
  const { name, id, state } = container;
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
    return {
      target: { kind: 'Skipped', ...known, containerId: id, outcome, unfit: [] },
      swap: undefined,
      podSteps: [],
    };
  }
  const of = { pod, container };
  const owners = ownersSteps(of, policy);
  if (owners.kind === 'Skip') return skipFor(known, owners.reason, owners.unfit);

  const ladder = joinLadders([
    owners.ladder,
    profile
      ? toLadder(stepsOfProfile(profile, container), { kind: 'Profile', profile: profile.name }, of)
      : noLadder,
    toLadder(defaultSteps(profile), { kind: 'Default' }, of),
    toLadder(policy.lastResort, { kind: 'LastResort' }, of),
  ]);
  const swapping = toLadder(policy.swap ? [policy.swap] : [], { kind: 'Swap' }, of);
  const restartsAlways = willRestart(container, pod.restartPolicy, 0);
  const { steps, unfit } = restartsAlways
    ? withoutRestarts(joinLadders([ladder, swapping]))
    : joinLadders([ladder, { ...swapping, steps: [] }]);
  const swap = restartsAlways ? undefined : swapping.steps[0];
  if (steps.length === 0 && !swap) {
    return skipFor(known, { kind: restartsAlways ? 'RestartsAlways' : 'NoWay' }, unfit);
  }
  const own = withPromises(
    steps.filter((step) => methodNamed(step.method).ends === 'Container'),
    of,
    policy,
  );
  return {
    target: { kind: 'Drafted', ...known, containerId: id, view: container, steps: own, unfit },
    swap,
    podSteps: steps.filter((step) => methodNamed(step.method).ends !== 'Container'),
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

type Skippable = Pick<DraftTarget, 'container' | 'turn'>;

function skipFor(target: Skippable, reason: SkipReason, unfit: readonly Unfit[] = []): Drafted {
  return skip(target, { kind: 'Skipped', reason }, unfit);
}

function skip(
  { container, turn }: Skippable,
  outcome: ContainerOutcome,
  unfit: readonly Unfit[] = [],
): Drafted {
  return { target: { kind: 'Skipped', container, turn, outcome, unfit }, swap: undefined, podSteps: [] };
}
