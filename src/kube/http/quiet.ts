import { longestRetryAfter } from '../../util/retry.ts';
import type { Clock, Millis } from '../../util/time.ts';

/** The time for which a server wants no requests. Nobody sends before it ends, whoever was told. */
export class Quiet {
  #end: Millis = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** Keeps to what the server asks for, unless that is absurd. */
  keep(retryAfter: Millis | undefined): void {
    if (retryAfter === undefined) return;
    this.#end = Math.max(this.#end, this.clock.now() + Math.min(retryAfter, longestRetryAfter));
  }

  /** Resolves at its end, which may move meanwhile. */
  async over(abort: AbortSignal): Promise<void> {
    for (let left = this.#left(); left > 0 && !abort.aborted; left = this.#left()) {
      await this.clock.sleep(left, abort);
    }
  }

  #left(): Millis {
    return this.#end - this.clock.now();
  }
}
