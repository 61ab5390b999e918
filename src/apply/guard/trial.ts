import type { HeldReason } from '../../vocabulary.ts';

/** Something that one caller tries first while the others wait for what it learns. */
export class Trial {
  readonly #open = new Set<string>();
  readonly #triedBy = new Set<string>();
  #closed: HeldReason | undefined;
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when nobody else is trying; the caller must `pass` when done. */
  async turn(stop: AbortSignal): Promise<void> {
    if (!this.#isTaken || stop.aborted) {
      this.#isTaken = true;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** What is known of a way; undefined if it is still to be tried. */
  known(way: string): 'Go' | HeldReason | undefined {
    return this.#closed ?? (this.#open.has(way) ? 'Go' : undefined);
  }

  /** Everybody may take this way. */
  open(way: string): void {
    this.#open.add(way);
  }

  /** Nobody may take any way from now on. */
  close(reason: HeldReason): void {
    this.#closed = reason;
  }

  /** This pod was told to end. It may go on: nothing worse can become of it than may become of it already. */
  tried(uid: string): void {
    this.#triedBy.add(uid);
  }

  isTriedBy(uid: string): boolean {
    return this.#triedBy.has(uid);
  }

  /** Lets the next caller try, or all of them, one after the other, if there is nothing left to try. */
  pass(): void {
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    next?.();
  }
}
