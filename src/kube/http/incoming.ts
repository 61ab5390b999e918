import { BodyError } from './body.ts';

/** Bytes as they arrive, taken in the amounts in which they are wanted. */
export class Incoming {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffered: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, which stay to be taken; fewer than wanted only at the end. */
  async peek(wanted: number): Promise<Uint8Array> {
    if (this.#buffered.length < wanted) await this.#fill(wanted);
    return this.#buffered.subarray(0, wanted);
  }

  /** Throws a BodyError if there are not so many. */
  async take(wanted: number): Promise<Uint8Array> {
    const bytes = await this.peek(wanted);
    if (bytes.length < wanted) throw cut();
    this.#buffered = this.#buffered.subarray(wanted);
    return bytes;
  }

  /** Lets bytes go by without holding them. Throws a BodyError if there are not so many. */
  async skip(count: number): Promise<void> {
    let left = count;
    while (left > this.#buffered.length) {
      left -= this.#buffered.length;
      this.#buffered = new Uint8Array();
      const next = await this.#chunks.next();
      if (next.done) throw cut();
      this.#buffered = next.value;
    }
    this.#buffered = this.#buffered.subarray(left);
  }

  /** All that has not been taken. */
  async *rest(): AsyncGenerator<Uint8Array, void, void> {
    if (this.#buffered.length > 0) yield this.#buffered;
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) yield next.value;
  }

  /** Joins the chunks once, not at each arrival: what is wanted may be large. */
  async #fill(wanted: number): Promise<void> {
    const chunks = [this.#buffered];
    let length = this.#buffered.length;
    while (length < wanted) {
      const next = await this.#chunks.next();
      if (next.done) break;
      chunks.push(next.value);
      length += next.value.length;
    }
    this.#buffered = Buffer.concat(chunks, length);
  }
}

function cut(): BodyError {
  return new BodyError({ kind: 'Malformed', message: 'the list broke off', isFleeting: true });
}
