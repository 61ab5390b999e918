/** The SPDY/3.1 frames that Kubernetes clients use. */
export type Frame =
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
export class FrameReader {
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
export function serialize(frame: Exclude<Frame, { kind: 'Other' | 'SynStream' }>): Buffer {
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
