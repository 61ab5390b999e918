import type { HeldReason } from '../vocabulary.ts';

/** Something that one goes first with, and what is known of it so far. */
export class Trial {
  readonly #open = new Set<string>();
  readonly #triedBy = new Set<string>();
  #closed: HeldReason | undefined;
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when nobody is trying it any more; whoever comes next must `pass` when done. */
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

  /** What is known of a way; nothing: it is to be tried. */
  known(way: string): 'Go' | HeldReason | undefined {
    return this.#closed ?? (this.#open.has(way) ? 'Go' : undefined);
  }

  /** This way may be taken by everybody. */
  open(way: string): void {
    this.#open.add(way);
  }

  /** This pod was told to end, and may go on: more cannot become of it than may become of it already. */
  tried(uid: string): void {
    this.#triedBy.add(uid);
  }

  isTriedBy(uid: string): boolean {
    return this.#triedBy.has(uid);
  }

  /** No way is to be taken any more. */
  close(reason: HeldReason): void {
    this.#closed = reason;
  }

  /** Lets the next one try; everybody, one after the other, when nobody has to try any more. */
  pass(): void {
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    next?.();
  }
}
