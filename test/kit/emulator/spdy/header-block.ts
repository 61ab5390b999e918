import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { dictionary } from './dictionary.ts';

export type HeaderBlock = Readonly<Record<string, string>>;

/**
 * The header blocks of one connection. Each direction is a single zlib stream, so blocks must be read and
 * written in the order of their frames.
 */
export class HeaderCodec {
  readonly #inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  readonly #deflate = createDeflate({ dictionary, flush: constants.Z_SYNC_FLUSH });

  async read(compressed: Buffer): Promise<HeaderBlock> {
    return decode(await transform(this.#inflate, compressed));
  }

  async write(headers: HeaderBlock): Promise<Buffer> {
    return transform(this.#deflate, encode(headers));
  }
}

function transform(stream: Inflate | Deflate, input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(input, () => {
      stream.off('error', reject);
      resolve((stream.read() as Buffer | null) ?? Buffer.alloc(0));
    });
  });
}

/** Decodes a count, then length-prefixed names and values. */
function decode(block: Buffer): HeaderBlock {
  const headers: Record<string, string> = {};
  let offset = 4;
  const next = () => {
    const length = block.readUInt32BE(offset);
    const text = block.toString('utf8', offset + 4, offset + 4 + length);
    offset += 4 + length;
    return text;
  };
  for (let count = block.readUInt32BE(0); count > 0; count--) {
    const name = next();
    headers[name.toLowerCase()] = next();
  }
  return headers;
}

function encode(headers: HeaderBlock): Buffer {
  const entries = Object.entries(headers);
  return Buffer.concat([uint32(entries.length), ...entries.flat().flatMap(withLength)]);
}

function withLength(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return [uint32(bytes.length), bytes];
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
