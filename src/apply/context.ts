import type { Clock, Cluster, Emit } from '../ports.ts';
import type { Facts, Policy, StopReason } from '../types.ts';
import type { JobWatch } from './job-reaction.ts';
import type { Observer } from './observer.ts';
import type { Slots } from './slots.ts';

/** What all of apply works with. */
export interface ApplyContext {
  readonly cluster: Cluster;
  readonly policy: Policy;
  /** As they were when the pods were judged. */
  readonly facts: Facts;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly slots: Slots;
  readonly observer: Observer;
  readonly jobs: JobWatch;
  /** Aborted with a StopReason: nothing new is sent and no wait goes on. */
  readonly stop: AbortSignal;
  /** Aborted some seconds later: requests in flight are cut. */
  readonly cut: AbortSignal;
}

/** Why an aborted sweep is stopping. */
export function stopReason(stop: AbortSignal): StopReason {
  return stop.reason === 'Deadline' || stop.reason === 'LockLost' ? stop.reason : 'Signal';
}
