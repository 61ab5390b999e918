import type { ContainerOutcome } from '../model/outcome.ts';
import type { Observation } from '../model/reading.ts';
import type { Attempt } from '../plan/sweep-event.ts';
import type { PlannedTarget, Target } from '../plan/sweep-plan.ts';
import type { Millis } from '../util/time.ts';
import { isUnderWay, standingOf, timeOfProof } from './attempts.ts';
import { attemptsOf, type Taken } from './taken.ts';
import { observe, type Watched } from './wait/observation.ts';

/** How far a sweep is with a sidecar. */
export type Course = OpenCourse | ClosedCourse;

export interface OpenCourse {
  readonly kind: 'Open';
  readonly target: PlannedTarget;
  /** What the next read is to look for. */
  readonly watched: Watched;
  readonly attempts: readonly Attempt[];
  /** After how many of the attempts it was proved to run on. */
  readonly outlived: number;
  /** What was seen last. */
  readonly observation: Observation;
}

/** Nothing more is done: the sidecar was skipped, or the pod changed before anything could be sent. */
interface ClosedCourse {
  readonly kind: 'Closed';
  readonly container: string;
  /** What a last read is to look for: it was left alone, and may have ended since. */
  readonly watched?: Watched;
  readonly attempts: readonly Attempt[];
  readonly outcome: ContainerOutcome;
}

export function beginCourse(target: Target): Course {
  const { container } = target;
  switch (target.kind) {
    case 'Skipped':
      return {
        kind: 'Closed',
        container,
        attempts: [],
        outcome: target.outcome,
        ...(target.containerId !== undefined && { watched: { container, containerId: target.containerId } }),
      };
    case 'Planned': {
      const watched = { container, containerId: target.containerId };
      return { kind: 'Open', target, watched, attempts: [], outlived: 0, observation: { kind: 'Running' } };
    }
  }
}

/** The course after a step. */
export function follow(course: OpenCourse, taken: Taken): Course {
  const { target, attempts, watched: before } = course;
  const { container } = target;
  switch (taken.kind) {
    case 'Attempted': {
      const watched = taken.watched.find((one) => one.container === container);
      // It had ended by the time the step was sent to the others.
      if (!watched) return course;
      const observation: Observation = taken.reading ? observe(taken.reading, watched) : { kind: 'Running' };
      return { ...course, watched, attempts: [...attempts, ...attemptsOf(taken)], observation };
    }
    case 'Overtaken':
      return { ...course, observation: observe(taken.reading, before) };
    case 'Withheld':
      // What was begun is proved by a read.
      if (taken.outcome.kind === 'NotAttempted' && attempts.length > 0) return course;
      return { kind: 'Closed', container, attempts, outcome: taken.outcome };
  }
}

/** Until when it may have ended although its status shows it running. */
export function unprovenUntil({ attempts, outlived }: OpenCourse): Millis {
  return timeOfProof(attempts.slice(outlived));
}

/** Whether a harsher step may follow: never because a request failed, because a status may lag or a wait was cut. */
export function mayGoOn({ observation, attempts }: OpenCourse): boolean {
  if (observation.kind === 'Running' && isUnderWay(attempts)) return false;
  return observation.kind !== 'Running' || standingOf(attempts).kind === 'Answered';
}
