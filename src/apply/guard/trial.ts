import type { HeldReason } from '../../model/outcome.ts';
import { wokenBy } from '../../util/concurrency.ts';

/** Something that one caller tries first while the others wait for what it learns. */
export class Trial {
  readonly #open = new Set<string>();
  readonly #triedBy = new Set<string>();
  #closed: HeldReason | undefined;
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];
  /** The callers that may come to try, by uid: the less a caller can lose, the lower its rank. */
  readonly #leaders = new Map<string, number>();
  /** Those of them that wait for others. */
  readonly #resting = new Set<string>();
  /** How many of the others have each rank. */
  readonly #ranks = new Map<number, number>();
  readonly #watching = new Set<() => void>();
  readonly #listeners: (() => void)[] = [];

  /** Resolves when nobody else is trying; the caller must `pass` when done. */
  async turn(stop: AbortSignal): Promise<void> {
    if (!this.#isTaken || stop.aborted) {
      this.#isTaken = true;
      return;
    }
    await wokenBy(stop, (wake) => this.#waiting.push(wake));
  }

  /** What is known of a way; undefined if it is still to be tried. */
  known(way: string): 'Go' | HeldReason | undefined {
    return this.#closed ?? (this.#open.has(way) ? 'Go' : undefined);
  }

  /** Everybody may take this way. */
  open(way: string): void {
    this.#open.add(way);
    this.#wake();
  }

  /** Nobody may take any way from now on. */
  close(reason: HeldReason): void {
    this.#closed = reason;
    this.#wake();
  }

  /** This pod was told to end. It may go on: nothing worse can become of it than may become of it already. */
  tried(uid: string): void {
    this.#triedBy.add(uid);
  }

  isTriedBy(uid: string): boolean {
    return this.#triedBy.has(uid);
  }

  /** Announces a caller that may try. */
  expect(uid: string, rank: number): void {
    if (this.#leaders.has(uid)) return;
    this.#leaders.set(uid, rank);
    this.#count(rank, 1);
  }

  /** An announced caller has tried, or never will. */
  forget(uid: string): void {
    this.#countOut(uid);
    this.#leaders.delete(uid);
    this.#resting.delete(uid);
  }

  /** An announced caller waits for others, and must not be waited for until it returns. */
  rest(uid: string): void {
    this.#countOut(uid);
    if (this.#leaders.has(uid)) this.#resting.add(uid);
  }

  return(uid: string): void {
    const rank = this.#leaders.get(uid);
    if (rank !== undefined && this.#resting.delete(uid)) this.#count(rank, 1);
  }

  /** Resolves when a way is known, or when no announced caller has less to lose than one of this rank. */
  async cheapest(way: string, rank: number, stop: AbortSignal): Promise<void> {
    const isNext = () => stop.aborted || this.known(way) !== undefined || !this.hasCheaper(rank);
    while (!isNext()) await wokenBy(stop, (wake) => this.#watching.add(wake));
  }

  /** Whether an announced caller has less to lose than one of this rank. */
  hasCheaper(rank: number): boolean {
    return [...this.#ranks].some(([other, count]) => other < rank && count > 0);
  }

  /** Calls back whenever a way is known, or the last caller of a rank has gone. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Lets the next caller try, or all of them, one after the other, if there is nothing left to try. */
  pass(): void {
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    next?.();
  }

  #countOut(uid: string): void {
    const rank = this.#leaders.get(uid);
    if (rank !== undefined && !this.#resting.has(uid)) this.#count(rank, -1);
  }

  #count(rank: number, change: 1 | -1): void {
    const left = (this.#ranks.get(rank) ?? 0) + change;
    this.#ranks.set(rank, left);
    if (left === 0) this.#wake();
  }

  #wake(): void {
    const watching = [...this.#watching];
    this.#watching.clear();
    for (const wake of watching) wake();
    for (const listener of this.#listeners) listener();
  }
}
