import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { messageOf, text, writeField, writeMessage } from './messages.ts';

const magic = Buffer.from('k8s\0');
const pod = [part(1, 'metadata', 'ObjectMeta'), part(2, 'spec', 'PodSpec'), part(3, 'status', 'PodStatus')];
/** The encoding and the type of the content, both empty. */
const noEncoding = encode((writer) => {
  writeField(writer, 3, text, '');
  writeField(writer, 4, text, '');
});

type JsonObject = Readonly<Record<string, unknown>>;
type Parts = Readonly<Record<string, object>>;

export type Pieces = readonly Uint8Array[];

/**
 * An object as Kubernetes' protobuf: a `runtime.Unknown` that says what it is, and holds its message.
 * https://github.com/kubernetes/apimachinery/blob/master/pkg/runtime/generated.proto
 */
export function protobufOf(object: object): Pieces {
  const { apiVersion, kind, ...content } = object as JsonObject;
  const raw = contentOf(String(kind), content);
  const type = encode((writer) => writeField(writer, 1, messageOf('TypeMeta'), { apiVersion, kind }));
  return [magic, type, header(2, raw), ...raw, noEncoding];
}

function contentOf(kind: string, content: JsonObject): Pieces {
  switch (kind) {
    case 'Pod':
      return podOf(content as Parts);
    case 'PodList':
      return podListOf(content as unknown as PodList);
    case 'Status':
      return [encode((writer) => writeMessage(writer, messageOf('Status'), content))];
    default:
      throw new TypeError(`the emulator does not encode ${kind}`);
  }
}

interface PodList {
  readonly metadata: object;
  readonly items: readonly Parts[];
}

function podListOf({ metadata, items }: PodList): Pieces {
  const pieces = [encode((writer) => writeField(writer, 1, messageOf('ListMeta'), metadata))];
  for (const item of items) {
    const content = podOf(item);
    pieces.push(header(2, content), ...content);
  }
  return pieces;
}

function podOf(object: Parts): Uint8Array[] {
  const unknown = Object.keys(object).find((name) => !pod.some((part) => part.name === name));
  if (unknown !== undefined) throw new TypeError(`Pod has no field ${unknown}`);
  return pod.map(({ name, encodingOf }) => encodingOf(object[name] ?? {}));
}

/** Stored objects never change, and pods that were placed together share their specs: each is encoded once. */
function part(number: number, name: string, kind: string) {
  const type = messageOf(kind);
  const known = new WeakMap<object, Uint8Array>();
  return {
    name,
    encodingOf(value: object) {
      const encoding = known.get(value) ?? encode((writer) => writeField(writer, number, type, value));
      known.set(value, encoding);
      return encoding;
    },
  };
}

function header(number: number, content: Pieces): Uint8Array {
  return encode((writer) => writer.tag(number, WireType.LengthDelimited).uint32(lengthOf(content)));
}

function encode(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
}

export function lengthOf(pieces: Pieces): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

export function* joined(pieces: Pieces, size: number): Generator<Uint8Array> {
  let start = 0;
  let length = 0;
  for (let end = 0; end < pieces.length; end++) {
    length += pieces[end]?.length ?? 0;
    if (length < size) continue;
    yield Buffer.concat(pieces.slice(start, end + 1), length);
    start = end + 1;
    length = 0;
  }
  if (length > 0) yield Buffer.concat(pieces.slice(start), length);
}
