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

/** The bytes of an answer as they arrive. */
export class Arriving {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer: Buffer = Buffer.alloc(0);
  /** How many bytes have arrived since the last page of items was given. */
  sincePage = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Waits for this many bytes, and returns them without taking them; fewer if the answer ends first. */
  async peek(wanted: number): Promise<Buffer> {
    const arrived: Uint8Array[] = [this.#buffer];
    for (let size = this.#buffer.length; size < wanted; ) {
      const { done, value } = await this.#chunks.next();
      if (done) break;
      this.sincePage += value.length;
      if (this.sincePage > bounds.betweenPods) {
        throw tooLarge('what comes between two pods', bounds.betweenPods);
      }
      arrived.push(value);
      size += value.length;
    }
    if (arrived.length > 1) this.#buffer = Buffer.concat(arrived);
    return this.#buffer.subarray(0, wanted);
  }

  async take(wanted: number): Promise<Buffer> {
    const taken = await this.peek(wanted);
    if (taken.length < wanted) throw malformed('the list broke off');
    this.#buffer = this.#buffer.subarray(wanted);
    return taken;
  }

  async skip(count: number): Promise<void> {
    for (let left = count; left > 0; ) {
      const { length } = await this.take(Math.min(left, this.#buffer.length || 1));
      left -= length;
    }
  }

  async field(): Promise<Field | undefined> {
    const header = await this.peek(headerBytes);
    if (header.length === 0) return undefined;
    try {
      const reader = new BinaryReader(header);
      const [number, wireType] = reader.tag();
      if (wireType !== WireType.LengthDelimited) throw new RangeError(`the wire type ${wireType}`);
      const tagLength = reader.pos;
      const contentLength = reader.uint32();
      this.#buffer = this.#buffer.subarray(tagLength);
      return { number, tagLength, length: reader.pos - tagLength + contentLength, contentLength };
    } catch {
      throw malformed('the answer has a field that cannot be read');
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

/** An answer that was cut at the wrong place looks malformed, so another try may succeed. */
export function malformed(message: string): BodyError {
  return new BodyError({ kind: 'Malformed', message, isFleeting: true });
}
