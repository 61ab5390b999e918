import { mayStillReact, type PodEnd } from '../model/job-reaction.ts';
import {
  hasEnded,
  isSettled,
  type Seen,
  settlingTime,
  soonestSettled,
  timeToSettle,
  type Watched,
} from '../model/observation.ts';
import { jobOf, type PodView } from '../model/pod.ts';
import type { JobReading, PodReading } from '../model/reading.ts';
import type { Millis } from '../util/time.ts';
import type { StepTimes } from './step-run.ts';

/** From the last step to the conclusion: the pod settles, then its Job reacts, and one that failed removes the pod. */
export type PodEnding =
  | { readonly kind: 'NotYet' }
  | { readonly kind: 'Reading'; readonly isLast: boolean }
  /** Sidecars have outlived their steps. They may still end, and do harm by that, so they are watched until the sweep is over. */
  | { readonly kind: 'Lingering'; readonly from: Millis; readonly until: Millis; readonly isLast: boolean }
  | { readonly kind: 'Settling'; readonly from: Millis; readonly until: Millis; readonly wasRead: boolean }
  | { readonly kind: 'ReadingJob'; readonly times: number }
  | { readonly kind: 'AwaitingJob'; readonly times: number; readonly until: Millis }
  | { readonly kind: 'AwaitingRemoval'; readonly job: JobReading; readonly until: Millis }
  | { readonly kind: 'Concluded' };

export type EndAction =
  | { readonly kind: 'Read' }
  | { readonly kind: 'ReadJob' }
  /** Say that time is up at this moment. */
  | { readonly kind: 'Sleep'; readonly until: Millis }
  | { readonly kind: 'Conclude'; readonly job: JobReading | undefined };

export interface EndContext extends StepTimes {
  /** As it was planned. */
  readonly pod: PodView;
  readonly seen: Seen;
  /** The instances of its sidecars that a last reading is searched for. */
  readonly watched: readonly Watched[];
  /** Whether a step that a sidecar has outlived may yet end it, and harm the work of the pod by that. */
  readonly mayStillEnd: boolean;
  readonly podEnd: PodEnd;
}

export type EndMove = readonly [PodEnding, EndAction?];

const timesToReadJob = 5;
const timeToCount: Millis = 500;
/** Pods that linger are read so much less often that they cost next to nothing. */
const lingeringPause: Millis = 10_000;

/** No step is left: what became of the pod is read, unless that was seen already. */
export function afterSteps(context: EndContext): EndMove {
  const { watched, mayStillEnd, stopping } = context;
  if (watched.length === 0) return settled(context);
  if (haveEnded(context)) return settle(context);
  return mayStillEnd && !stopping ? linger(context) : read(false);
}

export function afterOthers(ending: PodEnding, { now }: EndContext): EndMove {
  if (ending.kind !== 'Lingering') return [ending];
  return [{ ...ending, from: now, until: now + timeToSettle, isLast: true }];
}

export function endAfterReading(ending: PodEnding, reading: PodReading, context: EndContext): EndMove {
  switch (ending.kind) {
    case 'Reading':
      return ending.isLast ? settled(context) : settle(context);
    case 'Lingering':
      if (!context.mayStillEnd) return settle(context);
      return ending.isLast ? settled(context) : linger(context);
    case 'Settling':
      if (hasSettled(context)) return settled(context);
      return [{ ...ending, wasRead: ending.wasRead || reading.kind !== 'Unreadable' }];
    case 'AwaitingRemoval':
      return reading.kind === 'Gone' || reading.kind === 'Replaced' ? conclude(ending.job) : [ending];
    case 'NotYet':
    case 'ReadingJob':
    case 'AwaitingJob':
    case 'Concluded':
      return [ending];
  }
}

export function endAfterTime(ending: PodEnding, context: EndContext): EndMove {
  const { now, stopping } = context;
  if (!('until' in ending) || !(stopping || now >= ending.until)) return [ending];
  switch (ending.kind) {
    case 'Lingering':
    case 'Settling':
      return ending.kind === 'Settling' && ending.wasRead ? settled(context) : read(true);
    case 'AwaitingJob':
      return readJob(ending.times);
    case 'AwaitingRemoval':
      return conclude(ending.job);
  }
}

export function afterJob(ending: PodEnding, reading: JobReading, context: EndContext): EndMove {
  const { pod, podEnd, seen, stopping, now, cut } = context;
  if (ending.kind !== 'ReadingJob') return [ending];
  if (stopping) return conclude(reading);
  if (ending.times < timesToReadJob && mayStillReact(reading, pod, podEnd)) {
    const until = now + timeToCount;
    return [
      { kind: 'AwaitingJob', times: ending.times + 1, until },
      { kind: 'Sleep', until },
    ];
  }
  const hasFailed = reading.kind === 'Present' && !reading.job.complete && reading.job.failed !== undefined;
  const runsOn = seen.last?.kind === 'Present' && seen.last.pod.phase === 'Running';
  if (!runsOn || !hasFailed) return conclude(reading);
  return [{ kind: 'AwaitingRemoval', job: reading, until: now + cut(timeToSettle) }];
}

/** Whether a reading that fails is told although another one was read before: that one shows a sidecar that may have ended since. */
export function mustTellFailure(ending: PodEnding, context: EndContext): boolean {
  const decides =
    (ending.kind === 'Reading' && !ending.isLast) || (ending.kind === 'Lingering' && ending.isLast);
  return decides && !haveEnded(context);
}

function haveEnded({ seen: { last }, watched }: EndContext): boolean {
  return last !== undefined && watched.every((one) => hasEnded(last, one));
}

function hasSettled({ seen: { last }, watched }: EndContext): boolean {
  return last !== undefined && isSettled(last, watched);
}

function settle(context: EndContext): EndMove {
  if (hasSettled(context)) return settled(context);
  const { pod, seen, now, cut } = context;
  const from = now + (soonestSettled(seen.last) ?? 0);
  return [{ kind: 'Settling', from, until: now + cut(settlingTime(pod)), wasRead: false }];
}

function settled({ pod, podEnd, seen }: EndContext): EndMove {
  const isWanted = podEnd !== 'Unknown' || seen.hasEndedUnclean || seen.last?.kind === 'Gone';
  return isWanted && jobOf(pod) ? readJob(0) : conclude(undefined);
}

function linger({ now }: EndContext): EndMove {
  const from = now + lingeringPause;
  return [{ kind: 'Lingering', from, until: Number.POSITIVE_INFINITY, isLast: false }];
}

function read(isLast: boolean): EndMove {
  return [{ kind: 'Reading', isLast }, { kind: 'Read' }];
}

function readJob(times: number): EndMove {
  return [{ kind: 'ReadingJob', times }, { kind: 'ReadJob' }];
}

function conclude(job: JobReading | undefined): EndMove {
  return [{ kind: 'Concluded' }, { kind: 'Conclude', job }];
}
