import type { Millis } from '../duration.ts';
import type { Step } from '../methods/index.ts';
import type { Candidate, Clearance, ContainerOutcome, Prediction, Unfit, Warning } from '../vocabulary.ts';

/** What a sweep is going to do, as plain JSON: it can be saved, shown and compared. */
export interface SweepPlan {
  /** By the server's clock; undefined if nothing could be listed, or the server does not say. */
  readonly asOf: Millis | undefined;
  readonly pods: readonly PodPlan[];
  readonly warnings: readonly Warning[];
}

export interface PodPlan {
  readonly candidate: Candidate;
  readonly targets: readonly Target[];
  /** What is done to the pod if a sidecar outlives its own steps. */
  readonly lastResort: readonly PlannedStep[];
  /** The mains' work is done, and a Job would do it again if a sidecar ended unclean. */
  readonly isProtected: boolean;
  readonly prediction: Prediction;
}

/** A step with what the guard says of it. */
export type PlannedStep = Step & { readonly clearance: Clearance };

/** A sidecar and what is to be done about it. */
export type Target = PlannedTarget | SkippedTarget;

export interface PlannedTarget {
  readonly kind: 'Planned';
  readonly container: string;
  /** Only this instance of the container is ever signalled. */
  readonly containerId: string;
  readonly image: string;
  /** Tells apart containers of one image that are started differently. */
  readonly variant: string;
  readonly steps: readonly PlannedStep[];
  /** Steps that cannot work in this pod, or may not be taken. */
  readonly unfit: readonly Unfit[];
}

export interface SkippedTarget {
  readonly kind: 'Skipped';
  readonly container: string;
  readonly outcome: ContainerOutcome;
  readonly unfit: readonly Unfit[];
}
