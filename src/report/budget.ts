/** What is told of a kind, and altogether; what is over that is left out and counted. */
export class Budget {
  readonly #ofKind: number;
  readonly #altogether: number;
  readonly #told = new Map<string, number>();
  #sum = 0;
  #leftOut = 0;

  constructor(limits: { readonly ofKind: number; readonly altogether: number }) {
    this.#ofKind = limits.ofKind;
    this.#altogether = limits.altogether;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  /** Those that may be told: all of them, or none. */
  admit<T>(kind: string, all: readonly T[]): readonly T[] {
    const before = this.#told.get(kind) ?? 0;
    if (before + all.length > this.#ofKind || this.#sum + all.length > this.#altogether) {
      this.#leftOut += all.length;
      return [];
    }
    this.#told.set(kind, before + all.length);
    this.#sum += all.length;
    return all;
  }
}
