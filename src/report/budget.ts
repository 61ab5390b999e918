/** Limits the items of a report, of each kind and in all, and counts those that are left out. */
export class Budget {
  readonly #admitted = new Map<string, number>();
  #sum = 0;
  leftOut = 0;

  constructor(private readonly limits: { readonly ofKind: number; readonly altogether: number }) {}

  /** The items that the report may have: all of them, or none. */
  admit<T>(kind: string, all: readonly T[]): readonly T[] {
    const before = this.#admitted.get(kind) ?? 0;
    if (before + all.length > this.limits.ofKind || this.#sum + all.length > this.limits.altogether) {
      this.leftOut += all.length;
      return [];
    }
    this.#admitted.set(kind, before + all.length);
    this.#sum += all.length;
    return all;
  }
}
