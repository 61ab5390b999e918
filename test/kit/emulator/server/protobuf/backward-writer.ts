/**
 * Writes a message from its end to its beginning, as Kubernetes does: a length is known when it is written,
 * because what it measures is already there.
 */
export class BackwardWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #start = this.#buffer.length;

  /** How many bytes have been written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** A whole number as a varint. A negative one is written as 64 bits, of which the highest are set. */
  varint(value: number): void {
    if (value < 0) {
      this.#negative(BigInt.asUintN(64, BigInt(value)));
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    let at = this.#reserve(size);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[at++] = (rest % 0x80) | 0x80;
    this.#buffer[at] = rest;
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    // First, because it may replace the buffer.
    const at = this.#reserve(size);
    this.#buffer.write(value, at);
  }

  /** All that has been written; what is written next stands alone. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(this.#start));
    this.#start = this.#buffer.length;
    return bytes;
  }

  /** Forgets all that has been written. */
  clear(): void {
    this.#start = this.#buffer.length;
  }

  #negative(value: bigint): void {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  /** Where the next bytes stand; makes room before what has been written. */
  #reserve(size: number): number {
    if (this.#start < size) {
      const { length } = this;
      const larger = Buffer.allocUnsafe(2 * (length + size));
      this.#buffer.copy(larger, larger.length - length, this.#start);
      this.#buffer = larger;
      this.#start = larger.length - length;
    }
    this.#start -= size;
    return this.#start;
  }
}
