import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * The library's reader, but for the two things that are done most: it makes an object of each field that it
 * skips, and most of a pod is skipped; and it decodes texts one character at a time.
 */
export class FieldReader extends BinaryReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super(bytes);
    this.#bytes = bytes;
  }

  text(): string {
    const length = this.uint32();
    const start = this.pos;
    this.pos = this.endOf(length);
    return this.#bytes.toString('utf8', start, this.pos);
  }

  /** Passes over the content of a field. */
  pass(tag: number): void {
    switch (tag & 7) {
      case WireType.LengthDelimited:
        this.pos = this.endOf(this.uint32());
        break;
      case WireType.Varint:
        this.uint32();
        break;
      default:
        this.skip(tag & 7, tag >>> 3);
    }
  }

  /** The bytes of a field with a length, of which the tag has just been read, and of those that follow it with the same tag. */
  run(end: number): Buffer {
    const start = this.pos;
    const tag = this.#bytes[start - 1] ?? 0;
    this.pass(WireType.LengthDelimited);
    // Of a tag that is longer than it need be, the last byte has other bits there.
    while ((tag & 7) === WireType.LengthDelimited && this.pos < end && this.#bytes[this.pos] === tag)
      this.pass(this.uint32());
    return this.#bytes.subarray(start, this.pos);
  }

  /**
   * Where a field ends of which the content comes next.
   * @throws if that is behind the last byte.
   */
  endOf(length: number): number {
    const end = this.pos + length;
    if (end > this.len) throw new RangeError('a message ends within a field');
    return end;
  }
}
