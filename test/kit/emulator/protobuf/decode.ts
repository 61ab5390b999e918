import { BinaryReader, type WireType } from '@bufbuild/protobuf/wire';
import type { ApiRequest } from '../handlers/answer.ts';
import { StatusError } from '../handlers/status.ts';
import { type Field, integer, isKnown, type Message, messageOf, text } from './messages.ts';

const magic = 'k8s\0';

/**
 * The request with its body as JSON. kubectl sends the few objects that it creates with typed clients as protobuf: access
 * reviews, namespaces, roles.
 */
export function withJsonBody(request: ApiRequest): ApiRequest {
  if (request.headers['content-type'] !== 'application/vnd.kubernetes.protobuf') return request;
  if (request.body.length === 0) return request;
  const body = request.body.subarray(magic.length);
  const { typeMeta = {} } = decode(messageOf('Unknown'), body) as { typeMeta?: { kind?: string } };
  const { kind = '' } = typeMeta;
  if (!isKnown(kind)) {
    const message = `the emulator cannot decode protobuf of kind ${kind}; send JSON`;
    throw new StatusError(415, 'UnsupportedMediaType', message);
  }
  const object = { ...typeMeta, ...decode(messageOf(kind), rawOf(body)) };
  return { ...request, body: Buffer.from(JSON.stringify(object)) };
}

/** Every object is wrapped in a `runtime.Unknown`, whose second field holds its message. */
function rawOf(body: Uint8Array): Uint8Array {
  let raw = new Uint8Array();
  read(body, (number, reader, wireType) => {
    if (number === 2) raw = Uint8Array.from(reader.bytes());
    else reader.skip(wireType);
  });
  return raw;
}

function decode({ fields }: Message, bytes: Uint8Array): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  read(bytes, (number, reader, wireType) => {
    const field = fields.find((each) => each.number === number);
    const value = field && fieldValue(field, reader);
    if (!field || value === undefined) {
      reader.skip(wireType);
      return;
    }
    const { name, holds } = field;
    if (holds === 'List') object[name] = [...((object[name] ?? []) as unknown[]), value];
    else if (holds === 'Map') object[name] = { ...(object[name] ?? {}), ...(value as object) };
    // Go's protobuf includes empty strings; its JSON omits them.
    else if (value !== '') object[name] = value;
  });
  return object;
}

/** Undefined for what requests of kubectl do not need, such as times. */
function fieldValue({ type, holds }: Field, reader: BinaryReader): unknown {
  if (holds === 'Map') return entryOf(reader.bytes());
  if (type === text) return reader.string();
  if (type === integer) return Number(reader.int64());
  return 'fields' in type ? decode(type, reader.bytes()) : undefined;
}

function entryOf(bytes: Uint8Array): Record<string, string> {
  const words = ['', ''];
  read(bytes, (number, reader) => {
    words[number - 1] = reader.string();
  });
  const [key = '', value = ''] = words;
  return { [key]: value };
}

function read(
  bytes: Uint8Array,
  field: (number: number, reader: BinaryReader, wireType: WireType) => void,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    field(number, reader, wireType);
  }
}
