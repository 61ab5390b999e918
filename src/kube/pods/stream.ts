import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { BodyError, type Bytes, largestObject, tooLarge } from '../client/exchange.ts';

/** Kubernetes puts it before each message, which it wraps in a `runtime.Unknown`. */
export const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);
/** The fields of `runtime.Unknown` that say what it holds, and that hold it. */
const unknown = { typeMeta: 1, raw: 2 } as const;
/** The fields of a list. */
const list = { metadata: 1, items: 2 } as const;
/** No tag with a length after it takes more bytes. */
const headerBytes = 10;
/** What is kept of an item that is too large: a pod begins with its name. */
const headBytes = 4096;
/** Kubernetes writes four fields besides the items. Millions of them would keep us busy for minutes. */
const mostFields = 64;
/** A list with so many bytes and no item in them is not a list. */
const mostBetweenItems = 64 * 1024 * 1024;
/** Enough for some chunks, and for a large pod. */
const usualBuffer = 64 * 1024;

/**
 * Bytes as they arrive, taken in the amounts that are wanted. They all pass through the same buffer: what was taken is valid until
 * more is awaited.
 */
export class Arriving {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer = Buffer.allocUnsafe(usualBuffer);
  #start = 0;
  #end = 0;
  #sinceItem = 0;

  constructor(bytes: Bytes) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** The bytes that have arrived and were not taken. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** How many bytes have arrived since `itemsTaken` was called. */
  get sinceItems(): number {
    return this.#sinceItem;
  }

  itemsTaken(): void {
    this.#sinceItem = 0;
  }

  /** Waits for so many bytes; false if the answer ends before. */
  async has(wanted: number): Promise<boolean> {
    while (this.length < wanted) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#sinceItem += value.length;
      if (this.#sinceItem > mostBetweenItems) throw tooLarge('what comes between two pods', mostBetweenItems);
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

  /** Skips bytes without keeping them; false if the answer ends before. */
  async skip(count: number): Promise<boolean> {
    let left = count - this.take(count).length;
    while (left > 0) {
      if (!(await this.has(1))) return false;
      left -= this.take(left).length;
    }
    return true;
  }

  /** Ends the answer, of which no more is wanted. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
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

/** Where the parts of an answer go, each with its length before it. They are valid until the call ends. */
export interface Parts<Batch> {
  /** The kind and the version of what follows; returns whether that is a list, whose items are wanted one by one. */
  type(bytes: Buffer): boolean;
  /** The metadata of the list. */
  metadata(bytes: Buffer): void;
  /**
   * @param isWhole false if the item is too large, and these are only its first bytes.
   * @param arrived how many bytes have come since the last batch.
   * @returns the items up to this one, if it is time to work on them.
   */
  item(bytes: Buffer, isWhole: boolean, arrived: number): Batch | undefined;
  /** An object that is not a list. */
  object(bytes: Buffer): void;
}

/**
 * Splits an answer as it arrives, so that one item at a time is in memory. Each length comes before what it measures, so an
 * answer that was cut is recognised. Throws a BodyError for that.
 */
export async function* split<Batch>(
  arriving: Arriving,
  parts: Parts<Batch>,
): AsyncGenerator<Batch, void, void> {
  await arriving.skip(magic.length);
  let isList = false;
  let hasContent = false;
  for (let fields = 0; ; fields++) {
    const field = await nextField(arriving);
    if (!field) break;
    if (fields === mostFields) throw malformed('the list has more fields than any list');
    if (field.number === unknown.typeMeta && field.length <= headBytes) {
      if (hasContent) throw malformed('the answer names its kind only after its content');
      isList = parts.type(await take(arriving, field.length));
    } else if (field.number !== unknown.raw) {
      if (!(await arriving.skip(field.length))) throw cut();
    } else {
      hasContent = true;
      if (isList) yield* splitList(arriving, field, parts);
      else if (field.length > largestObject) throw tooLarge('the answer', largestObject);
      else parts.object(await take(arriving, field.length));
    }
  }
  if (!hasContent) throw malformed('the answer is empty');
}

async function* splitList<Batch>(
  arriving: Arriving,
  { length, contentLength }: Field,
  parts: Parts<Batch>,
): AsyncGenerator<Batch, void, void> {
  arriving.take(length - contentLength);
  let others = 0;
  for (let left = contentLength; left > 0; ) {
    // Waiting costs time even if there is nothing to wait for, and there may be 150,000 pods.
    const field = arriving.length >= headerBytes ? takeField(arriving) : await nextField(arriving);
    if (!field || field.tagLength + field.length > left) throw malformed('the list ends within a field');
    left -= field.tagLength + field.length;
    if (field.number === list.items) {
      const isWhole = field.length <= largestObject;
      const wanted = isWhole ? field.length : headBytes;
      const bytes = arriving.length >= wanted ? arriving.take(wanted) : await take(arriving, wanted);
      const batch = parts.item(bytes, isWhole, arriving.sinceItems);
      if (batch !== undefined) {
        yield batch;
        arriving.itemsTaken();
      }
      if (!isWhole && !(await arriving.skip(field.length - wanted))) throw cut();
    } else if (++others > mostFields) {
      throw malformed('the list has more fields than any list');
    } else if (field.number !== list.metadata) {
      if (!(await arriving.skip(field.length))) throw cut();
    } else {
      if (field.length > largestObject) throw tooLarge('the metadata of the list', largestObject);
      parts.metadata(await take(arriving, field.length));
    }
  }
}

interface Field {
  readonly number: number;
  readonly tagLength: number;
  /** In bytes: the content, and its own length before it. */
  readonly length: number;
  readonly contentLength: number;
}

/** The next field, whose tag is taken; undefined at the end. */
async function nextField(arriving: Arriving): Promise<Field | undefined> {
  await arriving.has(headerBytes);
  return arriving.length === 0 ? undefined : takeField(arriving);
}

function takeField(arriving: Arriving): Field {
  try {
    const reader = new BinaryReader(arriving.peek(headerBytes));
    const [number, wireType] = reader.tag();
    if (wireType !== WireType.LengthDelimited) throw new RangeError(`the wire type ${wireType}`);
    const tagLength = reader.pos;
    const contentLength = reader.uint32();
    arriving.take(tagLength);
    return { number, tagLength, length: reader.pos - tagLength + contentLength, contentLength };
  } catch {
    throw malformed('the answer has a field that cannot be read');
  }
}

async function take(arriving: Arriving, wanted: number): Promise<Buffer> {
  if (!(await arriving.has(wanted))) throw cut();
  return arriving.take(wanted);
}

function cut(): BodyError {
  return malformed('the list broke off');
}

/** An answer that was cut at the wrong place looks malformed, so another try may succeed. */
function malformed(message: string): BodyError {
  return new BodyError({ kind: 'Malformed', message, isFleeting: true });
}
