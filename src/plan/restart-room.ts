import { jobOf } from '../model/pod.ts';
import type { JobFacts } from '../model/reading.ts';
import type { UncleanExit } from '../model/step.ts';
import type { Candidate } from '../model/verdict.ts';

/** Some controllers count the restarts of running pods, such as that of Kubeflow's TFJob. */
const otherOwner = 'its owner may count it as a restart, and fail';

/**
 * Why a step that makes the kubelet restart some sidecars of a pod would fail its Job, however few other pods it has. A clean image
 * swap is a restart to the Job controller as well (recorded: image-swap-onfailure-backoff-one-fails).
 */
export function whyRestartsFailJob(
  { pod }: Candidate,
  job: JobFacts | undefined,
  restarts: number,
  mode: UncleanExit,
  mayRaise: boolean,
): string | undefined {
  if (pod.restartPolicy !== 'OnFailure' || mode === 'allow') return undefined;
  if (!jobOf(pod)) return pod.owner || pod.hasOtherOwner ? otherOwner : undefined;
  if (!job || job.kind === 'Unreadable') return 'its Job cannot be read, and may have no restarts left';
  if (job.kind === 'Gone') return undefined;
  const { backoffLimit, otherController } = job.job;
  if (otherController !== undefined) return otherOwner;
  return mayRaise || fits(pod.restarts + restarts, backoffLimit)
    ? undefined
    : `its Job would count it as a restart, and fail: backoffLimit ${backoffLimit}`;
}

/** Whether a Job lives with this many restarts. 0 counts as 1, as in the Job controller. */
export function fits(restarts: number, backoffLimit: number): boolean {
  return restarts < Math.max(backoffLimit, 1);
}

/** The smallest backoffLimit with which a Job lives with this many restarts. */
export function limitFor(restarts: number): number {
  return restarts + 1;
}
