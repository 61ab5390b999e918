import { timeToShow } from '../methods/command.ts';
import { methodNamed, type Step, type StepSpec } from '../methods/index.ts';
import { findProfile } from '../policy/match.ts';
import type { Policy } from '../policy/policy.ts';
import type { Profile } from '../policy/profile.ts';
import type { Candidate, ContainerOutcome, PodView, Sidecar, SkipReason, Unfit } from '../vocabulary.ts';
import { joinLadders, noLadder, toLadder } from './ladder.ts';
import { ownersSteps } from './owners-steps.ts';

/** What could be done about a pod, before it is known what the account may do. */
export interface PodDraft {
  readonly candidate: Candidate;
  readonly targets: readonly DraftTarget[];
  /** Steps for the whole pod. */
  readonly lastResort: readonly Step[];
}

export type DraftTarget =
  | {
      readonly kind: 'Drafted';
      readonly container: string;
      readonly containerId: string;
      readonly image: string;
      readonly variant: string;
      readonly steps: readonly Step[];
      readonly unfit: readonly Unfit[];
    }
  | {
      readonly kind: 'Skipped';
      readonly container: string;
      readonly outcome: ContainerOutcome;
      readonly unfit: readonly Unfit[];
    };

/** Every step that could end the sidecars of a candidate, in order. */
export function draftPod(candidate: Candidate, policy: Policy): PodDraft {
  const drafted = candidate.sidecars.map((sidecar) => draftTarget(candidate.pod, sidecar, policy));
  return {
    candidate,
    targets: drafted.map(({ target }) => target),
    lastResort: onceEach(drafted.flatMap(({ podSteps }) => podSteps)),
  };
}

/**
 * A pod is swapped, evicted or deleted once, whichever of its sidecars asks for it. The exit code is known if it is the same
 * for all of them.
 */
function onceEach(steps: readonly Step[]): readonly Step[] {
  const byMethod = new Map<string, Step>();
  for (const step of [...steps].reverse()) {
    const known = byMethod.get(step.method);
    const differs = known && known.exitCode !== step.exitCode;
    byMethod.set(step.method, differs ? { ...step, exitCode: undefined } : step);
  }
  return [...byMethod.values()].reverse();
}

interface Drafted {
  readonly target: DraftTarget;
  readonly podSteps: readonly Step[];
}

function draftTarget(pod: PodView, { container }: Sidecar, policy: Policy): Drafted {
  const { name, id, image, state } = container;
  if (state.kind === 'Terminated') {
    return skip(name, { kind: 'AlreadyEnded', exitCode: state.exitCode });
  }
  if (state.kind !== 'Running' || id === undefined) {
    return skipFor(name, { kind: 'NotRunning', state: state.kind === 'Waiting' ? state.reason : state.kind });
  }
  const of = { pod, container };
  const owners = ownersSteps(of, policy);
  if (owners.kind === 'Skip') return skipFor(name, owners.reason);

  const profile = findProfile(policy.catalogue, pod, container);
  const { steps, unfit } = joinLadders([
    owners.ladder,
    profile ? toLadder(profile.steps, { kind: 'Profile', profile: profile.name }, of) : noLadder,
    toLadder(defaultSteps(profile), { kind: 'Default' }, of),
    toLadder(policy.lastResort, { kind: 'LastResort' }, of),
  ]);
  if (steps.length === 0) return skipFor(name, { kind: 'NoWay' }, unfit);
  const own = steps.filter((step) => methodNamed(step.method).ends === 'Container');
  const variant = JSON.stringify([container.command, container.args]);
  return {
    target: { kind: 'Drafted', container: name, containerId: id, image, variant, steps: own, unfit },
    podSteps: steps.filter((step) => methodNamed(step.method).ends === 'Pod'),
  };
}

const term: StepSpec = { method: 'Signal', signal: ['TERM'] };
const kill: StepSpec = { method: 'Signal', signal: ['KILL'], grace: timeToShow(0), exitCode: 137 };

/**
 * What can be tried on anything: TERM, then KILL where that can work at all. A profile that mentions TERM has the last word on
 * it, above all on the exit code.
 */
function defaultSteps(profile: Profile | undefined): readonly StepSpec[] {
  const mentionsTerm = profile?.steps.some(
    (step) => step.method === 'Signal' && step.signal.includes('TERM'),
  );
  return mentionsTerm ? [kill] : [term, kill];
}

function skipFor(container: string, reason: SkipReason, unfit: readonly Unfit[] = []): Drafted {
  return skip(container, { kind: 'Skipped', reason }, unfit);
}

function skip(container: string, outcome: ContainerOutcome, unfit: readonly Unfit[] = []): Drafted {
  return { target: { kind: 'Skipped', container, outcome, unfit }, podSteps: [] };
}
