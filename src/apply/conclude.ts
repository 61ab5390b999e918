import type {
  Attempt,
  Candidate,
  ContainerOutcome,
  JobReaction,
  Observation,
  PodOutcome,
  PodReading,
} from '../vocabulary.ts';
import { mayHaveWorked } from './advance.ts';

/** What became of a sidecar: a pure function of what was sent to it and of a read of the pod after that. */
export function concludeTarget(attempts: readonly Attempt[], observation: Observation): ContainerOutcome {
  switch (observation.kind) {
    case 'Exited':
      return {
        kind: 'Stopped',
        exitCode: observation.exitCode,
        ...(observation.signal === undefined ? {} : { signal: observation.signal }),
      };
    case 'Restarted':
      return {
        kind: 'Restarted',
        restartCount: observation.restartCount,
        ...(observation.exitCode === undefined ? {} : { exitCode: observation.exitCode }),
      };
    case 'NotStarted':
      return { kind: 'NotStarted', reason: observation.reason };
    case 'Gone':
      return { kind: 'Gone' };
    case 'Replaced':
      return { kind: 'Replaced', uid: observation.uid };
    case 'Unreadable':
      return { kind: 'Unproven', problem: observation.problem.message };
    case 'Running':
      return concludeRunning(attempts);
  }
}

/** The container runs on: when nothing can have worked, the most telling attempt says why. */
function concludeRunning(attempts: readonly Attempt[]): ContainerOutcome {
  // KILL is what is left when nothing else is: it says the least.
  const telling = attempts.filter(({ step }) => step.method !== 'Signal' || !step.signals.includes('KILL'));
  const last = telling.at(-1) ?? attempts.at(-1);
  if (!last || attempts.some(mayHaveWorked)) return { kind: 'StillRunning' };
  // Held comes before whatever a later rung could not do either: it is what an operator can decide about.
  const { result } = telling.find((attempt) => attempt.result.kind === 'Held') ?? last;
  switch (result.kind) {
    case 'Accepted':
    case 'Unconfirmed':
      return { kind: 'StillRunning' };
    case 'Held':
      return { kind: 'Held', reason: result.reason };
    case 'NoSuchProgram':
      return { kind: isShell(result.program) ? 'NoShell' : 'NoSuchProgram', program: result.program };
    case 'Busy':
      return { kind: 'Unsupported', message: result.message };
    case 'Refused':
    case 'Unsupported':
    case 'Immune':
    case 'Undelivered':
      return { kind: result.kind, message: result.message };
  }
}

/** What became of the pod, of which every target has its outcome. */
export function concludePod(
  reading: PodReading,
  outcomes: readonly ContainerOutcome[],
  job: JobReaction,
): PodOutcome {
  switch (reading.kind) {
    case 'Gone':
      return { kind: 'Gone' };
    case 'Replaced':
      return { kind: 'Replaced', uid: reading.uid };
    case 'Unreadable':
      return { kind: 'Unproven', problem: reading.problem.message };
    case 'Present': {
      const { phase } = reading.pod;
      if (phase === 'Succeeded' || phase === 'Failed') return { kind: 'Ended', phase, job };
      return concludeActive(outcomes);
    }
  }
}

/** Whether the sweep's own act, and not the mains' result, made a Job start over. */
export function finishedWorkRunsAgain({ mains }: Candidate, outcome: PodOutcome): boolean {
  if (outcome.kind !== 'Ended' || outcome.job.kind !== 'RunsAgain') return false;
  return mains.every(({ exitCode }) => exitCode === 0);
}

function concludeActive(outcomes: readonly ContainerOutcome[]): PodOutcome {
  const open = outcomes.filter(({ kind }) => kind !== 'AlreadyEnded');
  if (open.every(({ kind }) => kind === 'Stopped')) return { kind: 'Unsettled' };
  const [first] = open;
  // Only when nothing at all was sent does the pod share its sidecars' reason.
  if (first?.kind === 'Skipped' && open.every(({ kind }) => kind === 'Skipped')) return first;
  if (first?.kind === 'NotAttempted' && open.every(({ kind }) => kind === 'NotAttempted')) return first;
  if (first?.kind === 'Held' && open.every(({ kind }) => kind === 'Held')) return first;
  return { kind: 'Stuck' };
}

function isShell(program: string): boolean {
  return /(?:^|\/)(?:ba|da|a|z|k)?sh$/.test(program);
}
