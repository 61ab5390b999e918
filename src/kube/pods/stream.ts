import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { bounds } from '../../model/bounds.ts';
import { BodyError, type Bytes, tooLarge } from '../client/exchange.ts';

/** No tag with a length after it takes more bytes. */
const headerBytes = 10;
/** Enough for some chunks, and for a large pod. */
const usualBuffer = 64 * 1024;

/** A field of a message that arrives; its tag has been taken. */
export interface Field {
  readonly number: number;
  readonly tagLength: number;
  /** In bytes: the content, and its own length before it. */
  readonly length: number;
  readonly contentLength: number;
}

/**
 * Bytes as they arrive, taken in the amounts that are wanted. They all pass through the same buffer: what was taken is valid until
 * more is awaited. An answer that ends before what is wanted throws a BodyError.
 */
export class Arriving {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = Buffer.allocUnsafe(usualBuffer);
  #start = 0;
  #end = 0;
  /** How many bytes have arrived since the last page of items was given. */
  sincePage = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** The bytes that have arrived and were not taken. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** Waits for so many bytes; false if the answer ends before. */
  async has(wanted: number): Promise<boolean> {
    while (this.length < wanted) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.sincePage += value.length;
      if (this.sincePage > bounds.betweenPods)
        throw tooLarge('what comes between two pods', bounds.betweenPods);
      this.#push(value);
    }
    return true;
  }

  /** The next bytes, which are not taken yet; fewer if fewer are there. */
  peek(wanted: number): Buffer {
    return this.#buffer.subarray(this.#start, Math.min(this.#start + wanted, this.#end));
  }

  take(wanted: number): Buffer {
    const bytes = this.peek(wanted);
    this.#start += bytes.length;
    return bytes;
  }

  /** Waiting costs time even if there is nothing to wait for, and there may be 150,000 pods: undefined if it must be waited for. */
  takeIfThere(wanted: number): Buffer | undefined {
    return this.length >= wanted ? this.take(wanted) : undefined;
  }

  async takeAll(wanted: number): Promise<Buffer> {
    if (!(await this.has(wanted))) throw malformed('the list broke off');
    return this.take(wanted);
  }

  /** Skips bytes without keeping them. */
  async skip(count: number): Promise<void> {
    for (let left = count - this.take(count).length; left > 0; left -= this.take(left).length) {
      if (!(await this.has(1))) throw malformed('the list broke off');
    }
  }

  /** The next field, if all of its tag and length are there. */
  fieldIfThere(): Field | undefined {
    return this.length >= headerBytes ? this.#takeField() : undefined;
  }

  /** The next field; undefined at the end. */
  async field(): Promise<Field | undefined> {
    await this.has(headerBytes);
    return this.length === 0 ? undefined : this.#takeField();
  }

  /** Ends the answer, of which no more is wanted. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #takeField(): Field {
    try {
      const reader = new BinaryReader(this.peek(headerBytes));
      const [number, wireType] = reader.tag();
      if (wireType !== WireType.LengthDelimited) throw new RangeError(`the wire type ${wireType}`);
      const tagLength = reader.pos;
      const contentLength = reader.uint32();
      this.take(tagLength);
      return { number, tagLength, length: reader.pos - tagLength + contentLength, contentLength };
    } catch {
      throw malformed('the answer has a field that cannot be read');
    }
  }

  #push(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#buffer.length) {
      const wanted = this.length + chunk.length;
      const buffer = wanted <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(2 * wanted);
      this.#buffer.copy(buffer, 0, this.#start, this.#end);
      this.#end = this.length;
      this.#start = 0;
      this.#buffer = buffer;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}

/** An answer that was cut at the wrong place looks malformed, so another try may succeed. */
export function malformed(message: string): BodyError {
  return new BodyError({ kind: 'Malformed', message, isFleeting: true });
}
