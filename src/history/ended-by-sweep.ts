import { mayHaveWorked } from '../methods/attempt.ts';
import { endsPod } from '../methods/index.ts';
import type { AttemptReport, PodReport } from '../report/schema.ts';
import { type SidecarReport, sidecarsOf } from '../report/sweep/planned.ts';

/** Whether the report shows that a pod ended by its sweep, and not by itself or because somebody else deleted it. */
export function endedBySweep(pod: PodReport): boolean {
  const sidecars = sidecarsOf(pod);
  const attempts = sidecars.flatMap(workedOn);
  // Harm is what the sweep did, and nobody else.
  if (pod.harm || attempts.some(({ method }) => endsPod(method))) return true;
  // Of a pod that no longer exists, only the Job shows how it ended: it completes by pods that have succeeded.
  if (pod.outcome.kind === 'Gone') return attempts.length > 0 && pod.outcome.job.kind === 'Complete';
  return sidecars.some((one) => one.outcome.kind === 'Stopped' && workedOn(one).length > 0);
}

/** The steps that may have told the sidecar to end. */
function workedOn({ attempts }: SidecarReport): readonly AttemptReport[] {
  return attempts.filter(mayHaveWorked);
}
