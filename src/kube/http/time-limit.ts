import type { Millis } from '../../duration.ts';
import { onAbort } from '../../on-abort.ts';

/** Ends an exchange of which the server takes too long, or that nobody wants any more. */
export class TimeLimit {
  readonly #ended = new AbortController();
  readonly #leave: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    private readonly limit: Millis,
    abort: AbortSignal,
  ) {
    // A signal of both, as AbortSignal.any makes it, costs a good part of what the request does.
    this.#leave = onAbort(abort, () => this.#ended.abort());
    this.#begin();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether the server took too long. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Does work for which the server does not have to wait; then the time begins anew. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    try {
      return await work();
    } finally {
      this.#begin();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }

  #begin(): void {
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#ended.abort();
    }, this.limit);
  }
}
