import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { bounds } from '../../model/bounds.ts';
import { BodyError, type Bytes, tooLarge } from '../client/exchange.ts';

/** No tag with a length after it takes more bytes. */
const headerBytes = 10;
/** A field of a message that arrives; its tag has been taken. */
export interface Field {
  readonly number: number;
  readonly tagLength: number;
  /** In bytes: the content, and its own length before it. */
  readonly length: number;
  readonly contentLength: number;
}

/** All bytes pass through one buffer: bytes that were taken are valid until more are awaited. */
export class Arriving {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  /** How many bytes have arrived since the last page of items was given. */
  sincePage = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Waits for this many bytes, and returns them without taking them; fewer if the answer ends first. */
  async peek(wanted: number): Promise<Buffer> {
    while (this.#end - this.#start < wanted) {
      const { done, value } = await this.#chunks.next();
      if (done) break;
      this.sincePage += value.length;
      if (this.sincePage > bounds.betweenPods) {
        throw tooLarge('what comes between two pods', bounds.betweenPods);
      }
      this.#push(value);
    }
    return this.#buffer.subarray(this.#start, Math.min(this.#start + wanted, this.#end));
  }

  async take(wanted: number): Promise<Buffer> {
    if ((await this.peek(wanted)).length < wanted) throw malformed('the list broke off');
    return this.#taken(wanted);
  }

  /** Undefined if they have not arrived: in a long list, unnecessary awaits cost CPU time. */
  takeIfThere(wanted: number): Buffer | undefined {
    return this.#end - this.#start < wanted ? undefined : this.#taken(wanted);
  }

  #taken(wanted: number): Buffer {
    this.#start += wanted;
    return this.#buffer.subarray(this.#start - wanted, this.#start);
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      await this.take(1);
      const skipped = Math.min(left - 1, this.#end - this.#start);
      this.#start += skipped;
      left -= skipped + 1;
    }
  }

  async field(): Promise<Field | undefined> {
    return (await this.peek(headerBytes)).length === 0 ? undefined : this.#takeField();
  }

  fieldIfThere(): Field | undefined {
    return this.#end - this.#start < headerBytes ? undefined : this.#takeField();
  }

  #takeField(): Field {
    const header = this.#buffer.subarray(this.#start, Math.min(this.#start + headerBytes, this.#end));
    try {
      const reader = new BinaryReader(header);
      const [number, wireType] = reader.tag();
      if (wireType !== WireType.LengthDelimited) throw new RangeError(`the wire type ${wireType}`);
      const tagLength = reader.pos;
      const contentLength = reader.uint32();
      this.#start += tagLength;
      return { number, tagLength, length: reader.pos - tagLength + contentLength, contentLength };
    } catch {
      throw malformed('the answer has a field that cannot be read');
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #push(chunk: Uint8Array): void {
    const kept = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const wanted = kept + chunk.length;
      const buffer = wanted <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(2 * wanted);
      this.#buffer.copy(buffer, 0, this.#start, this.#end);
      [this.#start, this.#end, this.#buffer] = [0, kept, buffer];
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}

/** An answer that was cut at the wrong place looks malformed, so another try may succeed. */
export function malformed(message: string): BodyError {
  return new BodyError({ kind: 'Malformed', message, isFleeting: true });
}
