import { wokenBy } from '../../util/concurrency.ts';
import type { Trial } from './trial.ts';

/** Of the pods that wait for a trial, so many have begun: if the one before it learns nothing, the next has its turn. */
const mostBegun = 20;

/** A pod that wants to try a way, or to learn of it. */
interface Caller {
  readonly uid: string;
  readonly trial: Trial;
  readonly way: string;
  readonly rank: number;
}

interface Waiting extends Caller {
  readonly enter: () => void;
}

interface Door {
  /** How many have begun, and have not had their turn. */
  inside: number;
  /** In the order they came. */
  readonly outside: Set<Waiting>;
}

/**
 * Where pods wait for others to go first, before they begin: a pod that has begun takes about 12 KB more, and most of a sweep's
 * pods may wait for one canary.
 */
export class Outside {
  readonly #doors = new Map<Trial, Door>();
  /** Through which doors a pod has come, by uid. */
  readonly #entered = new Map<string, readonly Door[]>();

  constructor(
    private readonly stop: AbortSignal,
    private readonly mostInside = mostBegun,
  ) {}

  /** Whether a caller should wait outside. */
  isFar({ trial, way, rank }: Caller): boolean {
    if (trial.known(way) !== undefined || this.stop.aborted) return false;
    return trial.hasCheaper(rank) || this.#doorOf(trial).inside >= this.mostInside;
  }

  /** Resolves when the caller may begin. */
  async wait(caller: Caller): Promise<void> {
    const door = this.#doorOf(caller.trial);
    const called = wokenBy(this.stop, (enter) => void door.outside.add({ ...caller, enter }));
    // It may have been for itself that it was far: while it waits to follow, it goes first nowhere.
    this.#fill(door);
    await called;
  }

  /** A caller begins. */
  enter({ uid, trial }: Caller): void {
    const door = this.#doorOf(trial);
    door.inside++;
    this.#entered.set(uid, [...(this.#entered.get(uid) ?? []), door]);
  }

  /** A pod has had its turn, or needs none any more. */
  leave(uid: string): void {
    const doors = this.#entered.get(uid) ?? [];
    this.#entered.delete(uid);
    for (const door of doors) {
      door.inside--;
      this.#fill(door);
    }
  }

  #doorOf(trial: Trial): Door {
    const known = this.#doors.get(trial);
    if (known) return known;
    const door: Door = { inside: 0, outside: new Set() };
    this.#doors.set(trial, door);
    // Something was learnt, or those with less to lose have gone.
    trial.onChange(() => {
      for (const caller of door.outside) if (trial.known(caller.way) !== undefined) letIn(caller, door);
      this.#fill(door);
    });
    return door;
  }

  #fill(door: Door): void {
    for (const caller of door.outside) {
      if (door.inside >= this.mostInside) return;
      if (caller.trial.hasCheaper(caller.rank)) continue;
      this.enter(caller);
      letIn(caller, door);
    }
  }
}

function letIn(caller: Waiting, { outside }: Door): void {
  outside.delete(caller);
  caller.enter();
}
