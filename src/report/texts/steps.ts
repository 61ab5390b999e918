import { formatDuration } from '../../duration.ts';
import type { Clearance, Prediction, StepSource } from '../../vocabulary.ts';
import type { PlannedStepReport } from '../schema.ts';

/** A planned step in words, with its source, what it leads to, and how long the sweep waits for that. */
export function describePlannedStep(step: PlannedStepReport): string {
  const { does, source, graceMs, expectedExitCode, clearance } = step;
  const ends = expectedExitCode === undefined ? 'exit code unknown' : `ends with ${expectedExitCode}`;
  const why = `${describeSource(source)}; ${ends}${clearances[clearance]}`;
  return `${does} (${why}), then wait up to ${formatDuration(graceMs)} for it to end`;
}

const clearances: Record<Clearance, string> = {
  Free: '',
  Canary: '; one pod of the image goes first',
  KnownUnclean: '; held, because its Job would run again',
  Forbidden: '; held by --unclean-exit=forbid',
};

/** Where a step comes from, in words. */
function describeSource(source: StepSource): string {
  switch (source.kind) {
    case 'Annotation':
      return `its annotation ${source.key}`;
    case 'Profile':
      return `profile ${source.profile}`;
    case 'Default':
      return 'tried on any sidecar';
    case 'LastResort':
      return 'last resort';
  }
}

/** What to expect of a pod if the first step for each of its sidecars works. */
export function describePrediction({ exitCode, phase, job }: Prediction): string {
  const sidecars = exitCode === undefined ? 'exit code unknown' : `exit code ${exitCode}`;
  const pod = phase === 'Unknown' ? 'phase unknown' : `pod ${phase}`;
  return `${sidecars}, ${pod}${predictedJob[job]}`;
}

const predictedJob: Record<Prediction['job'], string> = {
  NoJob: '',
  Completes: ', its Job counts a success',
  RunsAgain: ', its Job counts a failure and runs it again within its backoffLimit',
  StaysActive: ', its Job stays active',
  Unknown: ', Job result unknown',
};
