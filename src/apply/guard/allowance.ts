import type { HeldReason } from '../../vocabulary.ts';

/** How many pods of one image a sweep may see end unclean, however differently they are started. */
const uncleanEndsAllowed = 3;

/** Bounds what the canaries of one image can cost together. */
export class Allowance {
  readonly #trying = new Set<string>();
  readonly #spent = new Set<string>();
  #waiting: (() => void)[] = [];

  /** Resolves when this pod may try too, or with the reason why it never may. */
  async take(uid: string, stop: AbortSignal): Promise<'Go' | HeldReason> {
    while (!stop.aborted && !this.#trying.has(uid) && !this.#spent.has(uid)) {
      if (this.#spent.size >= uncleanEndsAllowed) return 'ManyEndedUnclean';
      if (this.#trying.size + this.#spent.size < uncleanEndsAllowed) {
        this.#trying.add(uid);
        break;
      }
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        stop.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return 'Go';
  }

  /** What a pod that tried has cost; one that was told to end and has not may still cost it. */
  give(uid: string, hasCost: boolean): void {
    this.#trying.delete(uid);
    if (hasCost) this.#spent.add(uid);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
