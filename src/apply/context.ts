import type { JobReader } from '../facts/jobs.ts';
import type { Facts } from '../model/facts.ts';
import type { StopReason } from '../model/outcome.ts';
import type { Cluster, Notebook } from '../model/ports.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Policy } from '../policy/policy.ts';
import type { Slots } from '../util/concurrency.ts';
import { onAbort } from '../util/concurrency.ts';
import type { Random } from '../util/retry.ts';
import type { Clock, Millis } from '../util/time.ts';
import { createMemory, type Memory } from './guard/memory.ts';
import { Promises } from './guard/promises.ts';
import { JobRooms } from './guard/rooms.ts';
import { Nodes } from './nodes.ts';
import { createJobWatch, type JobWatch } from './wait/job-reaction.ts';
import { type WaitLimit, withoutLimit } from './wait/limit.ts';
import { createPoller, type Poller } from './wait/poller.ts';

export interface ApplyOptions {
  readonly cluster: Cluster;
  readonly policy: Policy;
  /** As they were when the pods were judged. */
  readonly facts: Facts;
  readonly jobs: JobReader;
  readonly slots: Slots;
  /** How many slots there are. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly emit: Emit;
  /** Aborted with a StopReason: nothing new is sent and no wait goes on. */
  readonly stop: AbortSignal;
  /** How many pods the sweep's list had. */
  readonly listed: number;
  /** Where sweeps leave notes for the next one, if they may. */
  readonly notebook: Notebook | undefined;
}

/** What all of apply works with. */
export interface ApplyContext extends Omit<ApplyOptions, 'jobs' | 'listed' | 'notebook' | 'concurrency'> {
  readonly nodes: Nodes;
  readonly poller: Poller;
  readonly jobWatch: JobWatch;
  readonly promises: Promises;
  readonly rooms: JobRooms;
  readonly memory: Memory;
  readonly limit: WaitLimit;
  /** Aborted some seconds after the stop: requests in flight are cut. */
  readonly cut: AbortSignal;
}

/** After a stop, requests that are under way get this long before they are cut. */
const timeToStop: Millis = 2_500;

/** Puts together what apply works with; `end` lets go of it. */
export function openContext(options: ApplyOptions): {
  readonly context: ApplyContext;
  readonly end: () => void;
} {
  const { jobs, listed, notebook, concurrency, ...shared } = options;
  const { cluster, policy, slots, clock, stop } = shared;
  const done = new AbortController();
  const cut = abortLater(stop, clock, done.signal);
  const poller = createPoller({ cluster, scope: policy.scope, clock, slots, stop, listed });
  const jobWatch = createJobWatch({ jobs, slots, clock, stop, cut });
  const memory = createMemory(notebook, clock, cut);
  const promises = new Promises(memory);
  const rooms = new JobRooms({ ...shared, jobs, cut });
  const nodes = new Nodes(slots, clock, concurrency);
  return {
    context: { ...shared, nodes, poller, jobWatch, promises, rooms, memory, limit: withoutLimit, cut },
    end: () => done.abort(),
  };
}

/** Why an aborted sweep is stopping. */
export function stopReason(stop: AbortSignal): StopReason {
  const reasons: readonly StopReason[] = ['Deadline', 'LockLost', 'InternalError'];
  return reasons.find((reason) => reason === stop.reason) ?? 'Signal';
}

/** A signal that follows another one with the time to stop between them, or at once when all is done. */
function abortLater(stop: AbortSignal, clock: Clock, done: AbortSignal): AbortSignal {
  const later = new AbortController();
  const follow = () => void clock.sleep(timeToStop, done).then(() => later.abort(stop.reason));
  onAbort(stop, follow);
  return later.signal;
}
