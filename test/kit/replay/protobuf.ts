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

interface Field {
  readonly number: number;
  readonly content: bigint | Buffer;
}

interface Names {
  readonly [number: number]: string | Names;
}

/** The paths of a list's and of its items' version, and of where the list continues. */
const list: Names = {
  2: { 1: { 2: 'resourceVersion', 3: 'continue' }, 2: { 1: { 6: 'resourceVersion' } } },
};

function named({ number, content }: Field, names: Names): Readonly<Record<string, unknown>> {
  const name = names[number] ?? {};
  if (typeof name === 'string') return { [name]: content.toString() };
  return { [number]: typeof content === 'bigint' ? content : contentOf(content, name) };
}

/** A message if it can be read as one, else a text. */
function contentOf(content: Buffer, names: Names): unknown {
  return fieldsOf(content)?.map((field) => named(field, names)) ?? content.toString();
}

/** The fields of a message; undefined if the bytes are something else. */
function fieldsOf(bytes: Buffer): readonly Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; at < bytes.length; shift += 7n) {
      const byte = bytes[at++] ?? 0;
      value += BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = varint();
    const number = Math.floor(tag / 8);
    if (value === undefined || !(number > 0) || (tag % 8 !== 0 && tag % 8 !== 2)) return undefined;
    if (tag % 8 === 0) fields.push({ number, content: value });
    else {
      const end = at + Number(value);
      if (end > bytes.length) return undefined;
      fields.push({ number, content: bytes.subarray(at, end) });
      at = end;
    }
  }
  return fields;
}
