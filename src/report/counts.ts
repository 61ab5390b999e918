export type Counts = Readonly<Record<string, number>>;

/** Counts kinds as they are found. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(kind: string, times = 1): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + times);
  }

  /** Counts each kind once, however often it was found. */
  addEachOnce(found: readonly { readonly kind: string }[]): void {
    for (const kind of new Set(found.map((one) => one.kind))) this.add(kind);
  }

  /** In the order in which they were found first. */
  entries(): readonly (readonly [kind: string, times: number])[] {
    return [...this.#counts];
  }

  /** Sorted by kind. */
  counts(): Counts {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** How often each kind occurs. */
export function countKinds(kinds: Iterable<string>): Counts {
  const tally = new Tally();
  for (const kind of kinds) tally.add(kind);
  return tally.counts();
}

/** The sum of several counts. */
export function addCounts(all: readonly Counts[]): Counts {
  const total = new Tally();
  for (const [kind, number] of all.flatMap((each) => Object.entries(each))) total.add(kind, number);
  return total.counts();
}

/** `3 Blocked, 2 Stopped`. */
export function describeCounts(counts: Counts, write: (times: number) => string = String): string {
  return Object.entries(counts)
    .map(([kind, times]) => `${write(times)} ${kind}`)
    .join(', ');
}

/** Sidecars by outcome: `3 StillRunning (2 Blocked, 1 Immune), 7 Stopped`. */
export function describeSidecars(
  { sidecars, stillRunning }: { readonly sidecars: Counts; readonly stillRunning: Counts },
  write: (times: number) => string = String,
): string {
  return Object.entries(sidecars)
    .map(([kind, times]) => {
      const because = kind === 'StillRunning' ? ` (${describeCounts(stillRunning, write)})` : '';
      return `${write(times)} ${kind}${because}`;
    })
    .join(', ');
}

/** `1 pod`, `2 pods`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `2 pods listed, 1 stuck`, or that not all could be listed. */
export function describeFound(
  listed: number,
  unread: readonly { readonly what?: string | undefined }[],
  stuck: string,
  elsewhere = '',
): string {
  const areAllListed = unread.every(({ what }) => what !== undefined);
  if (listed === 0 && !areAllListed) return 'no pods could be listed';
  const others = areAllListed ? '' : ' (not all could be)';
  return `${count(listed, 'pod')} listed${elsewhere}${others}, ${stuck}`;
}

/** How many items of each kind, and in all, a report may have; the rest is left out and counted. */
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
