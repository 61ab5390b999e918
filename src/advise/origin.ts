import type { Candidate } from '../model/verdict.ts';
import type { TemplateReading } from '../origins.ts';

/** What pods are made from: a CronJob, a Job that none started, another owner, or a manifest of their own. */
export interface Origin {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Undefined for a kind of owner whose template is not read, and for a pod without an owner. */
  readonly reading: TemplateReading | undefined;
}

/** The stuck pods of one origin. */
export interface StuckPods {
  readonly origin: Origin;
  readonly candidates: readonly Candidate[];
}
