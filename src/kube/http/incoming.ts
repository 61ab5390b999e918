/** Room for some chunks, and for a large pod. */
const usualRoom = 64 * 1024;

/**
 * Bytes that have arrived, taken in the amounts in which they are wanted. They all pass through the same memory: what was taken
 * is good until more is pushed.
 */
export class Incoming {
  #room: Buffer;
  #start = 0;
  #end: number;
  #hasEnded = false;

  /** @param arrived What is there from the beginning. */
  constructor(arrived?: Buffer) {
    this.#room = arrived ?? Buffer.allocUnsafe(usualRoom);
    this.#end = arrived?.length ?? 0;
  }

  /** How many have arrived and were not taken. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Whether no more will arrive. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether so many are there, or no more will arrive. */
  has(wanted: number): boolean {
    return this.#hasEnded || this.length >= wanted;
  }

  push(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#room.length) this.#makeRoom(chunk.length);
    this.#room.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  end(): void {
    this.#hasEnded = true;
  }

  /** The next bytes, which stay to be taken; fewer if fewer are there. */
  peek(wanted: number): Buffer {
    return this.#room.subarray(this.#start, Math.min(this.#start + wanted, this.#end));
  }

  /** The next bytes, or all if no more are there. */
  take(wanted: number): Buffer {
    const bytes = this.peek(wanted);
    this.#start += bytes.length;
    return bytes;
  }

  /** Lets bytes go by. Gives back how many were not there. */
  skip(count: number): number {
    const skipped = Math.min(count, this.length);
    this.#start += skipped;
    return count - skipped;
  }

  /** What was taken is overwritten; after something large, the memory stays as large as that. */
  #makeRoom(more: number): void {
    const { length } = this;
    const wanted = length + more;
    const room = wanted <= this.#room.length ? this.#room : Buffer.allocUnsafe(2 * wanted);
    this.#room.copy(room, 0, this.#start, this.#end);
    this.#room = room;
    this.#start = 0;
    this.#end = length;
  }
}

/** What is made of bytes as they arrive; undefined while there are too few for the next. */
export type Arriving<T> = Generator<T | undefined, void, void>;
