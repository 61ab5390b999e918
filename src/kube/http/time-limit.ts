import type { Millis } from '../../duration.ts';

/** Ends an exchange of which the server takes too long. */
export class TimeLimit {
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly limit: Millis) {
    this.#begin();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Does work for which the server does not have to wait; then the time begins anew. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    this.end();
    try {
      return await work();
    } finally {
      this.#begin();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    this.#timer = setTimeout(() => this.#over.abort(), this.limit);
  }
}
