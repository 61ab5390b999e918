import { isRecord, type Json, parseJson, record } from '../../src/kube/json.ts';
import { protobufOf } from '../kit/emulator/protobuf/encode.ts';

/** A list of pods in protobuf, as an API server sends it. An item that is not an object becomes a pod without fields. */
export function podListBytes(items: readonly unknown[], metadata: object = {}): Buffer {
  // The items of a list do not say what they are.
  const pods = items.map((item) => {
    const { apiVersion: _apiVersion, kind: _kind, ...pod } = record(item);
    return pod;
  });
  return Buffer.concat([...protobufOf({ apiVersion: 'v1', kind: 'PodList', metadata, items: pods })]);
}

/** A pod in protobuf as an item of a list: its length, and then itself. */
export function podBytes(pod: object): Buffer {
  const bytes = Buffer.concat([...protobufOf({ ...pod, apiVersion: 'v1', kind: 'Pod' })]);
  // The magic, the type with its tag, and the tag of the pod.
  return bytes.subarray(4 + 2 + (bytes[5] ?? 0) + 1);
}

/** A body as an API server sends it: pods and lists of pods in protobuf, everything else as it is. */
export function asServed(body: string): Buffer {
  const object = parseJson(body);
  if (isRecord(object) && object['kind'] === 'Pod') return Buffer.concat([...protobufOf(object)]);
  return isList(object) ? podListBytes(object.items, record(object['metadata'])) : Buffer.from(body);
}

function isList(object: unknown): object is Json & { readonly items: readonly unknown[] } {
  return isRecord(object) && object['kind'] === 'PodList' && Array.isArray(object['items']);
}

export async function* inChunks(body: string | Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}
