export type Counts = Readonly<Record<string, number>>;

export class Tally {
  readonly #counts = new Map<string, number>();

  add(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  counts(): Counts {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

export function countKinds(kinds: Iterable<string>): Counts {
  const tally = new Tally();
  for (const kind of kinds) tally.add(kind);
  return tally.counts();
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
