import { annotation, killCommandKeys } from '../judge/annotations.ts';
import { isAllowed } from '../policy/allowlist.ts';
import { findProfile } from '../policy/match.ts';
import type { StepSpec } from '../policy/steps.ts';
import type {
  Candidate,
  ContainerStep,
  ContainerView,
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
  Unfit,
} from '../types.ts';
import { parseKillCommand, signalsPid1 } from './kill-command.ts';
import { commandSteps, profileSteps, timeToShow, toLadder } from './ladder.ts';
import { isProtected, predict } from './protect.ts';

/** What is to be done about every candidate: data, decided before anything is sent. */
export function planSweep(candidates: readonly Candidate[], policy: Policy, asOf: Millis): SweepPlan {
  return { asOf, pods: candidates.map((candidate) => planPod(candidate, policy)) };
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
    prediction: predict(candidate, targets, lastResort),
  };
}

/** A pod is swapped, evicted or deleted once, whichever of its sidecars asks for it. */
function onceEach(steps: readonly PodStep[]): readonly PodStep[] {
  return [...new Map([...steps].reverse().map((step) => [step.method, step])).values()].reverse();
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
    ...(profile ? [profileSteps(profile, pod, container)] : []),
    toLadder(defaultSteps(profile), { kind: 'Default' }, pod, container),
    toLadder(policy.lastResort, { kind: 'LastResort' }, pod, container),
  ];
  const steps = [...owners.steps, ...ladders.flatMap((ladder) => ladder.container)];
  const podSteps = ladders.flatMap((ladder) => ladder.pod);
  const unfit = [...owners.unfit, ...ladders.flatMap((ladder) => ladder.unfit)];
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

type OwnersSteps =
  | { readonly kind: 'Steps'; readonly steps: readonly ContainerStep[]; readonly unfit: readonly Unfit[] }
  | { readonly kind: 'Skip'; readonly reason: SkipReason };

/**
 * The command that the pod's annotation asks for. When it cannot be run as written, nothing else is tried in its place: its
 * owner knows something about this container that we do not.
 */
function ownersSteps(pod: PodView, container: ContainerView, policy: Policy): OwnersSteps {
  const { annotationCommands } = policy;
  for (const key of killCommandKeys(container.name)) {
    const written = annotation(pod.annotations, key);
    if (written === undefined) continue;
    if (annotationCommands.kind === 'Off') {
      const unfit: Unfit = {
        method: 'Command',
        reason: 'NotAllowed',
        detail: `${key}: annotation commands are off`,
      };
      return { kind: 'Steps', steps: [], unfit: [unfit] };
    }
    const command = parseKillCommand(written);
    if (command.kind === 'Bad') {
      return { kind: 'Skip', reason: { kind: 'BadKillCommand', key, problem: command.problem } };
    }
    if (annotationCommands.kind === 'Allowlist' && !isAllowed(command.words, annotationCommands.patterns)) {
      return { kind: 'Skip', reason: { kind: 'CommandNotAllowed', key } };
    }
    // A command that counts on PID 1 being the sidecar would hit the node's init, or the pause process.
    if (pod.processNamespace === 'Node') return { kind: 'Skip', reason: { kind: 'HostPID' } };
    if (pod.processNamespace === 'Pod' && signalsPid1(command.words)) {
      const unfit: Unfit = {
        method: 'Command',
        reason: 'ShownOtherwise',
        detail: `${key} signals PID 1, which is pause`,
      };
      return { kind: 'Steps', steps: [], unfit: [unfit] };
    }
    const steps = commandSteps(command.words, { kind: 'Annotation', key }, pod.grace, undefined);
    return { kind: 'Steps', steps, unfit: [] };
  }
  return { kind: 'Steps', steps: [], unfit: [] };
}

function skip(container: string, reason: SkipReason): Planned {
  return { target: { kind: 'Skipped', container, outcome: { kind: 'Skipped', reason } }, podSteps: [] };
}
