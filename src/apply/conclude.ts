import type {
  Attempt,
  Candidate,
  ContainerOutcome,
  JobReaction,
  Observation,
  PodOutcome,
  PodReading,
} from '../types.ts';

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

/** The container runs on: the last attempt says why. */
function concludeRunning(attempts: readonly Attempt[]): ContainerOutcome {
  const last = attempts.at(-1);
  if (!last) return { kind: 'StillRunning' };
  switch (last.result.kind) {
    case 'Accepted':
    case 'Unconfirmed':
      return { kind: 'StillRunning' };
    case 'Refused':
      return { kind: 'Refused', message: last.result.message };
    case 'NoSuchProgram':
      return {
        kind: isShell(last.result.program) ? 'NoShell' : 'NoSuchProgram',
        program: last.result.program,
      };
    case 'Undelivered':
      return { kind: 'Undelivered', message: last.result.message };
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
  return { kind: 'Stuck' };
}

function isShell(program: string): boolean {
  return /(?:^|\/)(?:ba|da|a|z|k)?sh$/.test(program);
}
