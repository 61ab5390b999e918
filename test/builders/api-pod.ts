import { expect } from 'vitest';
import { type NarrowedPod, readPodView } from '../../src/kube/pods/narrow.ts';
import type { PodView } from '../../src/model/pod.ts';
import { isRecord, type Json, parseJson, record } from '../../src/util/json.ts';
import { protobufOf } from '../kit/emulator/index.ts';

interface Parts {
  readonly metadata?: Json;
  readonly spec?: Json;
  readonly status?: Json;
}

/** A stuck pod as in the API: `main` has ended, `sidecar` is running. The parts override the defaults. */
export function apiPod({ metadata, spec, status }: Parts = {}): Json {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1', ...metadata },
    spec: {
      restartPolicy: 'Never',
      nodeName: 'node1',
      containers: [apiContainer('main'), apiContainer('sidecar')],
      ...spec,
    },
    status: {
      phase: 'Running',
      containerStatuses: [
        apiStatus('main', {
          terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2026-11-21T03:00:00Z' },
        }),
        apiStatus('sidecar', { running: { startedAt: '2026-11-21T02:00:00Z' } }),
      ],
      ...status,
    },
  };
}

export function apiContainer(name: string, more: Json = {}): Json {
  return { name, image: 'docker.io/local/busybox:1', ...more };
}

export function apiStatus(name: string, state: Json, more: Json = {}): Json {
  return { name, state, lastState: {}, restartCount: 0, containerID: `containerd://${name}-0`, ...more };
}

/** Reads an API pod as the product does, from protobuf. */
export function read(pod: object): NarrowedPod {
  return readPodView(podBytes(pod));
}

/** The same; a malformed one fails the test. */
export function narrowed(pod: unknown): PodView {
  const view = read(Object(pod));
  if ('problem' in view) expect.fail(`malformed: ${view.problem}`);
  return view;
}

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

function isList(object: unknown): object is Record<string, unknown> & { readonly items: readonly unknown[] } {
  return isRecord(object) && object['kind'] === 'PodList' && Array.isArray(object['items']);
}

export async function* inChunks(body: string | Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** A number as protobuf writes it. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** A field of protobuf with a length. */
export function field(number: number, ...content: readonly (Buffer | string)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}
