import { annotation, killCommandKeys } from '../judge/annotations.ts';
import type {
  Candidate,
  Millis,
  PodPlan,
  PodView,
  Sidecar,
  SkipReason,
  Step,
  SweepPlan,
  Target,
} from '../types.ts';
import { hasSignal, parseKillCommand, withSignal } from './kill-command.ts';

const SIGTERM = 15;
const SIGKILL = 9;
const defaultCommand = ['/bin/sh', '-c', 'kill -%d 1'] as const;

/** What is to be done about every candidate: data, decided before anything is sent. */
export function planSweep(candidates: readonly Candidate[], asOf: Millis): SweepPlan {
  return { asOf, pods: candidates.map(planPod) };
}

function planPod(candidate: Candidate): PodPlan {
  return { candidate, targets: candidate.sidecars.map((sidecar) => planTarget(candidate.pod, sidecar)) };
}

function planTarget(pod: PodView, { container }: Sidecar): Target {
  const { name, id, state } = container;
  if (state.kind === 'Terminated') {
    return {
      kind: 'Skipped',
      container: name,
      outcome: { kind: 'AlreadyEnded', exitCode: state.exitCode },
    };
  }
  if (state.kind !== 'Running' || id === undefined) {
    const word = state.kind === 'Waiting' ? state.reason : state.kind;
    return skip(name, { kind: 'NotRunning', state: word });
  }
  if (pod.processNamespace === 'Pod') return skip(name, { kind: 'SharedProcessNamespace' });
  if (pod.processNamespace === 'Node') return skip(name, { kind: 'HostPID' });

  const key = killCommandKeys(name).find((each) => annotation(pod.annotations, each) !== undefined);
  const written = key && annotation(pod.annotations, key);
  if (key === undefined || written === undefined) {
    return {
      kind: 'Planned',
      container: name,
      containerId: id,
      steps: killSequence(defaultCommand, 'Default', pod.grace),
    };
  }
  const command = parseKillCommand(written);
  if (command.kind === 'Bad') return skip(name, { kind: 'BadKillCommand', key, problem: command.problem });
  return {
    kind: 'Planned',
    container: name,
    containerId: id,
    steps: killSequence(command.words, 'Annotation', pod.grace),
  };
}

/**
 * Kubernetes' own termination, by exec: TERM, the grace period, then KILL. A command that does not depend on
 * the signal is sent once.
 */
function killSequence(command: readonly string[], source: Step['source'], grace: Millis): readonly Step[] {
  const term = commandStep(command, source, SIGTERM, grace);
  if (!hasSignal(command)) return [term];
  return [term, commandStep(command, source, SIGKILL, timeToShow(grace))];
}

function commandStep(words: readonly string[], source: Step['source'], signal: number, grace: Millis): Step {
  return { method: 'Command', command: withSignal(words, signal), source, signal, grace };
}

/** KILL is not answered, it only has to show: the kubelet reports an end 1 to 2 seconds later. */
function timeToShow(grace: Millis): Millis {
  return Math.min(Math.max(grace, 2_000), 5_000);
}

function skip(container: string, reason: SkipReason): Target {
  return { kind: 'Skipped', container, outcome: { kind: 'Skipped', reason } };
}
