import { jobOf, type PodName, type PodView } from '../../model/pod.ts';
import type { Warning } from '../../model/warning.ts';

/** The backoffLimit of a Job before and after this sweep raised it. */
export interface Raised {
  readonly from: number;
  readonly to: number;
}

/** Which Jobs' backoffLimits this sweep has raised, by its own warnings. */
export class Raises {
  readonly #byJob = new Map<string, Raised>();

  hear(warning: Warning): void {
    if (warning.kind !== 'BackoffLimitRaised') return;
    const { namespace, job, from, to } = warning;
    const key = keyOf({ namespace, name: job });
    // It may be raised more than once.
    this.#byJob.set(key, { from: this.#byJob.get(key)?.from ?? from, to });
  }

  /** What was raised for the Job of a pod. */
  of(pod: PodView): Raised | undefined {
    const job = jobOf(pod);
    return job && this.#byJob.get(keyOf({ namespace: pod.ref.namespace, name: job.name }));
  }
}

function keyOf({ namespace, name }: PodName): string {
  return `${namespace}/${name}`;
}
