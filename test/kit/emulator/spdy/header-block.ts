import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';

/**
 * The zlib dictionary of SPDY/3 header blocks: length-prefixed words, then plain text. Client and server must
 * use identical bytes.
 */
const words = `
  options head post put delete trace accept accept-charset accept-encoding accept-language
  accept-ranges age allow authorization cache-control connection content-base content-encoding
  content-language content-length content-location content-md5 content-range content-type date etag
  expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
  last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer
  retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate
  method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin`
  .split(/\s+/)
  .filter(Boolean)
  .map((word) => word.replace('_', ' '));

const text =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 No' +
  'n-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403' +
  ' Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Fe' +
  'b Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunke' +
  'd,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/' +
  'javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

const dictionary = Buffer.concat([...words.map(prefixed), Buffer.from(text)]);

function prefixed(word: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(word.length);
  return Buffer.concat([length, Buffer.from(word)]);
}

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
