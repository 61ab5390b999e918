import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type HeaderBlock, HeaderCodec } from './header-block.ts';

/** A stream that the client opened, with its headers. */
export class SpdyStream extends Duplex {
  constructor(
    readonly id: number,
    readonly headers: HeaderBlock,
    private readonly send: (frame: Parameters<typeof serialize>[0]) => void,
  ) {
    super();
  }

  override _read(): void {}

  override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.send({ kind: 'Data', streamId: this.id, last: false, data });
    done();
  }

  override _final(done: () => void): void {
    this.send({ kind: 'Data', streamId: this.id, last: true, data: Buffer.alloc(0) });
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.send({ kind: 'RstStream', streamId: this.id });
    done(error);
  }
}

/** The server side of SPDY/3.1 over a byte stream. It accepts every stream and answers pings. */
export class SpdyConnection {
  readonly #streams = new Map<number, SpdyStream>();
  readonly #codec = new HeaderCodec();

  constructor(
    private readonly socket: Duplex,
    private readonly onStream: (stream: SpdyStream) => void,
  ) {
    void this.#serve().catch(() => socket.destroy());
  }

  /** Closes the connection once the ended streams are flushed. */
  async close(): Promise<void> {
    const ending = [...this.#streams.values()].filter((stream) => stream.writableEnded);
    await Promise.allSettled(ending.map((stream) => finished(stream, { readable: false })));
    this.#send({ kind: 'GoAway' });
    this.socket.end();
  }

  async #serve(): Promise<void> {
    const reader = new FrameReader();
    for await (const chunk of this.socket) {
      for (const frame of reader.read(chunk as Buffer)) await this.#receive(frame);
    }
    for (const stream of this.#streams.values()) stream.destroy();
  }

  async #receive(frame: Frame): Promise<void> {
    switch (frame.kind) {
      case 'SynStream':
        return this.#open(frame.streamId, frame.last, await this.#codec.read(frame.headers));
      case 'Data': {
        const stream = this.#streams.get(frame.streamId);
        if (frame.data.length > 0) stream?.push(frame.data);
        if (frame.last) stream?.push(null);
        return;
      }
      case 'RstStream':
        this.#streams.get(frame.streamId)?.destroy();
        return;
      case 'Ping':
        // Only the client pings; its ping is echoed.
        this.#send(frame);
        return;
      case 'SynReply':
      case 'GoAway':
      case 'Other':
        return;
    }
  }

  async #open(id: number, last: boolean, headers: HeaderBlock): Promise<void> {
    const stream = new SpdyStream(id, headers, (frame) => this.#send(frame));
    this.#streams.set(id, stream);
    stream.once('close', () => this.#streams.delete(id));
    // The client may reset a stream; that is not an error here.
    stream.on('error', () => {});
    if (last) stream.push(null);
    this.#send({ kind: 'SynReply', streamId: id, headers: await this.#codec.write({}) });
    this.onStream(stream);
  }

  #send(frame: Parameters<typeof serialize>[0]): void {
    if (this.socket.writable) this.socket.write(serialize(frame));
  }
}

/** The SPDY/3.1 frames that Kubernetes clients use. */
type Frame =
  | { readonly kind: 'Data'; readonly streamId: number; readonly last: boolean; readonly data: Buffer }
  | {
      readonly kind: 'SynStream';
      readonly streamId: number;
      readonly last: boolean;
      readonly headers: Buffer;
    }
  | { readonly kind: 'SynReply'; readonly streamId: number; readonly headers: Buffer }
  | { readonly kind: 'RstStream'; readonly streamId: number }
  | { readonly kind: 'Ping'; readonly id: number }
  | { readonly kind: 'GoAway' }
  /** Settings, window updates and others. Like Kubernetes' SPDY library, this one has no flow control. */
  | { readonly kind: 'Other' };

const type = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;
const lastFlag = 1;
const headLength = 8;

/** Reads complete frames from a byte stream. */
class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<Frame> {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= headLength) {
      const end = headLength + this.#rest.readUIntBE(5, 3);
      if (this.#rest.length < end) return;
      const frame = this.#rest.subarray(0, end);
      this.#rest = this.#rest.subarray(end);
      yield parse(frame);
    }
  }
}

function parse(frame: Buffer): Frame {
  const first = frame.readUInt32BE(0);
  const last = ((frame[4] ?? 0) & lastFlag) !== 0;
  const payload = frame.subarray(headLength);
  if (first < 0x8000_0000) return { kind: 'Data', streamId: first, last, data: payload };
  switch (first & 0xffff) {
    case type.synStream:
      return { kind: 'SynStream', streamId: readId(payload), last, headers: payload.subarray(10) };
    case type.synReply:
      return { kind: 'SynReply', streamId: readId(payload), headers: payload.subarray(4) };
    case type.rstStream:
      return { kind: 'RstStream', streamId: readId(payload) };
    case type.ping:
      return { kind: 'Ping', id: payload.readUInt32BE(0) };
    case type.goAway:
      return { kind: 'GoAway' };
    default:
      return { kind: 'Other' };
  }
}

function readId(payload: Buffer): number {
  return payload.readUInt32BE(0) & 0x7fff_ffff;
}

/** The bytes of a frame to send. */
function serialize(frame: Exclude<Frame, { kind: 'Other' | 'SynStream' }>): Buffer {
  switch (frame.kind) {
    case 'Data':
      return Buffer.concat([head(frame.streamId, frame.last, frame.data.length), frame.data]);
    case 'SynReply':
      return control(type.synReply, uint32(frame.streamId), frame.headers);
    case 'RstStream':
      // 5: CANCEL
      return control(type.rstStream, uint32(frame.streamId), uint32(5));
    case 'Ping':
      return control(type.ping, uint32(frame.id));
    case 'GoAway':
      return control(type.goAway, uint32(0), uint32(0));
  }
}

function control(kind: number, ...parts: Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  return Buffer.concat([head(0x8003_0000 + kind, false, payload.length), payload]);
}

function head(first: number, last: boolean, length: number): Buffer {
  const bytes = Buffer.alloc(headLength);
  bytes.writeUInt32BE(first, 0);
  bytes.writeUInt8(last ? lastFlag : 0, 4);
  bytes.writeUIntBE(length, 5, 3);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
