import type { Prediction, Step, StepSource } from '../../vocabulary.ts';

/** A step in words. */
export function describeStep(step: Step): string {
  switch (step.method) {
    case 'Command':
      return `run ${step.command.join(' ')}`;
    case 'Http':
      return `${step.request.method} localhost:${step.request.port}${step.request.path}`;
    case 'Signal':
      return `signal ${step.signals.join(', else ')}`;
    case 'Tombstone':
      return `write ${step.path}`;
    case 'ImageSwap':
      return `swap the image for ${step.image}`;
    case 'EphemeralContainer':
      return `run ${step.command.join(' ')} beside it, in ${step.image}`;
    case 'Deadline':
      return 'set activeDeadlineSeconds to 1';
    case 'Evict':
      return 'evict the pod';
    case 'Delete':
      return 'delete the pod';
  }
}

/** Who says that a step is a way to end the sidecar. */
export function describeSource(source: StepSource): string {
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

/** What is expected of a pod if the first step for each of its sidecars works. */
export function describePrediction({ exitCode, phase, job }: Prediction): string {
  const sidecars = exitCode === undefined ? 'exit code not known' : `exit code ${exitCode}`;
  const pod = phase === 'Unknown' ? 'phase not known' : `pod ${phase}`;
  return `${sidecars}, ${pod}${predictedJob[job]}`;
}

const predictedJob: Record<Prediction['job'], string> = {
  NoJob: '',
  Completes: ', its Job counts it as done',
  RunsAgain: ', its Job counts a failure and runs it again within its backoffLimit',
  StaysActive: ', its Job stays active',
  Unknown: ', what its Job does not known',
};
