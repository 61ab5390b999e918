export type Counts = Readonly<Record<string, number>>;

/** How often each kind occurs, by name. */
export function countKinds(kinds: Iterable<string>): Counts {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Limits the items of a report, of each kind and in all, and counts those that are left out. */
export class Budget {
  readonly #ofKind: number;
  readonly #altogether: number;
  readonly #admitted = new Map<string, number>();
  #sum = 0;
  #leftOut = 0;

  constructor(limits: { readonly ofKind: number; readonly altogether: number }) {
    this.#ofKind = limits.ofKind;
    this.#altogether = limits.altogether;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  /** The items that the report may have: all of them, or none. */
  admit<T>(kind: string, all: readonly T[]): readonly T[] {
    const before = this.#admitted.get(kind) ?? 0;
    if (before + all.length > this.#ofKind || this.#sum + all.length > this.#altogether) {
      this.#leftOut += all.length;
      return [];
    }
    this.#admitted.set(kind, before + all.length);
    this.#sum += all.length;
    return all;
  }
}
