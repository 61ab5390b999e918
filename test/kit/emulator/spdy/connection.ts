import { Duplex } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Frame, FrameReader, serialize } from './frames.ts';
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
