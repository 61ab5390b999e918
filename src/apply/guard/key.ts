import type { Attempt } from '../../events.ts';
import { newImageOf } from '../../methods/index.ts';
import type { PlannedStep, PlannedTarget } from '../../plan/sweep-plan.ts';
import type { Observation } from '../../vocabulary.ts';
import { mayHaveWorked } from '../attempts.ts';
import type { Trial } from './trial.ts';

/** Something that must be known before a step is sent to many: tried in one pod first. */
export interface Key {
  /** What is tried. */
  readonly name: string;
  /** How exactly; what is learnt of one way says nothing of another. */
  readonly way: string;
  /** The images whose sidecars are held if it goes wrong. */
  readonly images: readonly string[];
  /** The program whose earlier unclean ends count as a failed trial. */
  readonly program: string | undefined;
  /** What a pod that went first has taught. */
  learn(
    trial: Trial,
    uid: string,
    attempt: Attempt | undefined,
    seen: (container: string) => Observation,
  ): void;
}

/** All keys of a step, in the same order for everybody, so that no two pods ever wait for each other. */
export function keysOf(step: PlannedStep, targets: readonly PlannedTarget[]): readonly Key[] {
  const images = [...new Set(targets.map(({ image }) => image))];
  const programs = step.clearance === 'Canary' ? images.map((image) => programKey(image, step, targets)) : [];
  const newImage = newImageOf(step);
  const keys = newImage === undefined ? programs : [...programs, imageKey(newImage, targets, images)];
  return [...keys].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a program ends with 0. However it is asked, it is the program that ends; a swapped image ends in its place. */
function programKey(image: string, step: PlannedStep, targets: readonly PlannedTarget[]): Key {
  const own = targets.filter((target) => target.image === image);
  const way = wayOf(step, own);
  return {
    name: newImageOf(step) === undefined ? `program ${image}` : `program swapped for ${image}`,
    way,
    images: [image],
    program: image,
    learn(trial, uid, attempt, seen) {
      const ends = own.map(({ container }) => seen(container));
      if (attempt === undefined || !mayHaveWorked(attempt)) {
        // What an image does not have, it has in no pod. Anything else was about that pod: the next one tries.
        if (attempt?.result.kind === 'NoSuchProgram') trial.open(way);
      } else if (ends.every(isCleanEnd)) {
        trial.open(way);
      } else if (ends.some(isUncleanEnd)) {
        trial.close('CanaryEndedUnclean');
      } else {
        // It may still end, and nobody knows how: all others wait for the next sweep, which sees what became of it.
        trial.tried(uid);
        trial.close('CanaryNotEnded');
      }
    },
  };
}

/** Whether a no-op image starts. One that cannot be pulled would leave every pod waiting for it. */
function imageKey(image: string, targets: readonly PlannedTarget[], images: readonly string[]): Key {
  return {
    name: `image ${image}`,
    way: '',
    images,
    program: undefined,
    learn(trial, _uid, _attempt, seen) {
      const ends = targets.map(({ container }) => seen(container).kind);
      if (ends.includes('NotStarted')) trial.close('NoopDoesNotStart');
      // Whatever else became of that pod says nothing of the image: the next one tries.
      else if (ends.includes('Exited')) trial.open('');
    },
  };
}

/** What exactly is done to what exactly: another command, or other arguments of the container, may end differently. */
function wayOf(
  { grace, source, clearance, ...does }: PlannedStep,
  targets: readonly PlannedTarget[],
): string {
  return JSON.stringify([targets.map(({ variant }) => variant), does]);
}

function isCleanEnd(seen: Observation): boolean {
  return seen.kind === 'Exited' && seen.exitCode === 0;
}

function isUncleanEnd(seen: Observation): boolean {
  return seen.kind === 'Restarted' || (seen.kind === 'Exited' && seen.exitCode !== 0);
}
