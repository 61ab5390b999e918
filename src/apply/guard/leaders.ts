import type { Trial } from './trial.ts';

interface Leader {
  readonly trials: readonly Trial[];
  /** How many of its sidecars wait to follow. */
  following: number;
}

/** The pods that may still go first somewhere, so that those that can lose least do. */
export class Leaders {
  readonly #pods = new Map<string, Leader>();

  expect(uid: string, rank: number, trials: readonly Trial[]): void {
    for (const trial of trials) trial.expect(uid, rank);
    this.#pods.set(uid, { trials, following: 0 });
  }

  /** Whether a pod was announced, and something may still be done about it. */
  knows(uid: string): boolean {
    return this.#pods.has(uid);
  }

  /** Nothing more is done about a pod. */
  forget(uid: string): void {
    for (const trial of this.#pods.get(uid)?.trials ?? []) trial.forget(uid);
    this.#pods.delete(uid);
  }

  /**
   * A pod that waits to follow goes first nowhere meanwhile, so nobody waits for it. All others wait only for pods of a lower
   * rank than their own, and so no pods ever wait for each other.
   */
  async whileFollowing(uid: string, wait: () => Promise<void>): Promise<void> {
    const leader = this.#pods.get(uid);
    if (!leader) return wait();
    if (leader.following++ === 0) for (const trial of leader.trials) trial.rest(uid);
    await wait();
    if (--leader.following === 0) for (const trial of leader.trials) trial.return(uid);
  }
}
