import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * What a list of pods in protobuf holds, in order, by the numbers of its fields; other bodies stay as they are.
 * It needs no declaration of Kubernetes' fields but for what differs between runs: two fields have names here.
 */
export function readList(bodyBase64: string): unknown {
  const body = Buffer.from(bodyBase64, 'base64');
  const fields = body.subarray(0, magic.length).equals(magic) && fieldsOf(body.subarray(magic.length));
  return fields && body.includes(kind) ? fields.map((field) => named(field, list)) : bodyBase64;
}

const magic = Buffer.from('k8s\0');
/** Of `runtime.Unknown.typeMeta`. */
const kind = Buffer.from('\x12\x07PodList');

type Field = readonly [number: number, content: bigint | string | Buffer];

interface Names {
  readonly [number: number]: string | Names;
}

/** The paths of a list's and of its items' version, and of where the list continues. */
const list: Names = { 2: { 1: { 2: 'resourceVersion', 3: 'continue' }, 2: { 1: { 6: 'resourceVersion' } } } };

function named([number, content]: Field, names: Names): Readonly<Record<string, unknown>> {
  const name = names[number] ?? {};
  if (typeof name === 'string') return { [name]: content.toString() };
  return { [number]: Buffer.isBuffer(content) ? contentOf(content, name) : content };
}

/** A message if it can be read as one, else a text. */
function contentOf(content: Buffer, names: Names): unknown {
  return fieldsOf(content)?.map((field) => named(field, names)) ?? content.toString();
}

/** The fields of a message; undefined if the bytes are something else. */
function fieldsOf(bytes: Buffer): readonly Field[] | undefined {
  const fields: Field[] = [];
  const reader = new BinaryReader(bytes);
  try {
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if (wireType === WireType.Varint) fields.push([number, reader.uint64()]);
      else if (wireType === WireType.LengthDelimited) fields.push([number, Buffer.from(reader.bytes())]);
      else return undefined;
    }
  } catch {
    return undefined;
  }
  return fields;
}
