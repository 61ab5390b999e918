import { mayHaveWorked } from '../../methods/attempt.ts';
import { newImageOf } from '../../methods/index.ts';
import type { Observation } from '../../model/reading.ts';
import type { Attempt } from '../../plan/sweep-event.ts';
import type { PlannedStep, PlannedTarget } from '../../plan/sweep-plan.ts';
import { startOf } from '../../plan/trials.ts';
import type { Trial } from './trial.ts';

/** Something that must be known before a step is sent to many: tried in one pod first. */
export interface Key {
  /** What is tried. */
  readonly name: string;
  /** How exactly; what is learnt of one way says nothing of another. */
  readonly way: string;
  /** The image whose unclean ends are counted together, however its containers are started. */
  readonly image: string;
  /** Containers that are started alike, of which an earlier unclean end counts as a failed trial. */
  readonly alike: string | undefined;
  /** What a pod that went first has taught. */
  learn(trial: Trial, uid: string, attempt: Attempt | undefined, seen: See): void;
}

type See = (container: string) => Observation;

/** All keys of a step, in the same order for everybody, so that no two pods ever wait for each other. */
export function keysOf(step: PlannedStep, targets: readonly PlannedTarget[]): readonly Key[] {
  const newImage = newImageOf(step);
  const keys =
    newImage !== undefined
      ? swapKeys(newImage, targets)
      : mustBeTried(step)
        ? programKeys(step, targets)
        : [];
  return [...keys].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether it is unknown how a step ends a sidecar, and that matters. */
export function mustBeTried({ clearance }: PlannedStep): boolean {
  switch (clearance) {
    case 'Canary':
    case 'Follower':
      return true;
    case 'Free':
    case 'AlreadyUnclean':
    case 'KnownUnclean':
    case 'Forbidden':
      return false;
  }
}

/** Whether programs end with 0. However one is asked, it is the program that ends. */
function programKeys(step: PlannedStep, targets: readonly PlannedTarget[]): readonly Key[] {
  const { grace, source, clearance, ...does } = step;
  return distinct(targets.map(({ alike }) => alike)).map((alike): Key => {
    const own = targets.filter((target) => target.alike === alike);
    const image = own[0]?.image ?? '';
    const way = JSON.stringify(does);
    return {
      name: `program ${alike}`,
      way,
      image,
      alike,
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
  });
}

/**
 * Whether a no-op image is pulled, and whether it runs each program to an end with 0. A swap proves no more than its own
 * image, program, pull policy, pull secrets and platform.
 */
function swapKeys(newImage: string, targets: readonly PlannedTarget[]): readonly Key[] {
  const of = { image: newImage, way: '', alike: undefined };
  const pulls = distinct(targets.map(({ pull }) => pull)).map((pull): Key => {
    const own = targets.filter((target) => target.pull === pull);
    return {
      ...of,
      name: `image ${newImage} ${pull}`,
      learn(trial, _uid, _attempt, seen) {
        const ends = own.map(({ container }) => seen(container));
        if (ends.some(isPullFailure)) trial.close('NoopDoesNotStart');
        // Whatever else became of that pod says nothing of the image: the next one tries.
        else if (ends.some(({ kind }) => kind === 'Exited' || kind === 'Restarted')) trial.open('');
      },
    };
  });
  const programs = distinct(targets.map(startOf)).map((start): Key => {
    const own = targets.filter((target) => startOf(target) === start);
    return {
      ...of,
      name: `program in ${newImage} ${start}`,
      learn(trial, uid, attempt, seen) {
        const ends = own.map(({ container }) => seen(container));
        if (attempt === undefined || !mayHaveWorked(attempt)) return;
        if (ends.every(isCleanEnd)) trial.open('');
        else if (ends.some((end) => isUncleanEnd(end) || end.kind === 'NotStarted'))
          trial.close('NoopDoesNotStart');
        else if (ends.some(({ kind }) => kind === 'Running')) {
          trial.tried(uid);
          trial.close('CanaryNotEnded');
        }
      },
    };
  });
  return [...pulls, ...programs];
}

/** https://kubernetes.io/docs/concepts/containers/images/#imagepullbackoff */
function isPullFailure(seen: Observation): boolean {
  return (
    seen.kind === 'NotStarted' && /Pull|InvalidImageName|RegistryUnavailable|Signature/.test(seen.reason)
  );
}

export function isCleanEnd(seen: Observation): boolean {
  return seen.kind === 'Exited' && seen.exitCode === 0;
}

/** Whether finished work may run again because of this end. */
export function isUncleanEnd(seen: Observation): boolean {
  return seen.kind === 'Restarted' || (seen.kind === 'Exited' && seen.exitCode !== 0);
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
