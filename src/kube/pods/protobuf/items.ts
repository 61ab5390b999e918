import { largestObject } from '../../http/body.ts';
import { type Arriving, Incoming } from '../../http/incoming.ts';
import { type Json, record } from '../../json.ts';
import type { ListPart } from '../list-part.ts';
import { integer, type Message, many, message, one, text } from './message.ts';
import { glance, pod } from './pod-message.ts';
import { FieldReader } from './reader.ts';
import { splitList } from './split-list.ts';

const type = message({ 1: one('apiVersion', text), 2: one('kind', text) });
const listMeta = message({ 2: one('resourceVersion', text), 3: one('continue', text) });

/** https://github.com/kubernetes/apimachinery/blob/master/pkg/apis/meta/v1/generated.proto */
const status = message({
  1: one('metadata', listMeta),
  2: one('status', text),
  3: one('message', text),
  4: one('reason', text),
  5: one(
    'details',
    message({
      1: one('name', text),
      4: many('causes', message({ 1: one('reason', text), 2: one('message', text) })),
      5: one('retryAfterSeconds', integer),
    }),
  ),
  6: one('code', integer),
});

/**
 * The parts of a list of pods in Kubernetes' protobuf, as they are in JSON. Of a pod that is left out at a glance, no more is
 * read. Throws a BodyError.
 */
export function* readProtobufItems(
  incoming: Incoming,
  isLeftOut: (glance: unknown) => boolean = () => false,
): Arriving<ListPart> {
  let frame: Readonly<Record<string, unknown>> = {};
  for (const piece of splitList(incoming, largestObject, isPodList)) {
    if (!piece) {
      yield undefined;
      continue;
    }
    const { bytes } = piece;
    switch (piece.kind) {
      case 'Type':
        frame = { ...frame, ...read(type, bytes) };
        if (isPodList(bytes)) frame = { ...frame, items: [] };
        break;
      case 'Metadata':
        frame = { ...frame, metadata: read(listMeta, bytes) ?? null };
        break;
      case 'Object':
        frame = { ...frame, ...read(status, bytes) };
        break;
      case 'Item':
        yield itemOf(bytes, isLeftOut);
        break;
      case 'TooLarge':
        yield { kind: 'TooLarge', item: beginningOf(bytes) };
        break;
    }
  }
  yield { kind: 'Frame', text: JSON.stringify(frame) };
}

/** The pod or the Status that an answer in Kubernetes' protobuf holds, as it is in JSON; undefined if it holds anything else. */
export function readProtobufObject(answer: Buffer): Json | undefined {
  const incoming = new Incoming(answer);
  incoming.end();
  let kind: unknown;
  for (const piece of splitList(incoming, largestObject, () => false)) {
    if (piece?.kind === 'Type') kind = record(read(type, piece.bytes))['kind'];
    if (piece?.kind !== 'Object') continue;
    if (kind === 'Pod') return read(pod, piece.bytes);
    return kind === 'Status' ? { kind, ...read(status, piece.bytes) } : undefined;
  }
  return undefined;
}

function itemOf(bytes: Buffer, isLeftOut: (glance: unknown) => boolean): ListPart {
  const seen = read(glance, bytes);
  return isLeftOut(seen) ? { kind: 'LeftOut', item: seen } : { kind: 'Item', item: read(pod, bytes) };
}

function isPodList(bytes: Buffer): boolean {
  return record(read(type, bytes))['kind'] === 'PodList';
}

/** Undefined if it cannot be read, as with JSON that cannot be parsed. */
function read(what: Message, bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return what.read(new FieldReader(bytes));
  } catch {
    return undefined;
  }
}

/** The names of a pod, of which only the first bytes are there: they come first. */
function beginningOf(bytes: Buffer): unknown {
  const names: Record<string, string> = {};
  const reader = new FieldReader(bytes);
  try {
    // The length of the pod, the tag of its metadata, and the length of these.
    for (let skipped = 0; skipped < 3; skipped++) reader.uint32();
    for (;;) {
      const tag = reader.uint32();
      const name = namesAt[tag];
      if (name === undefined) reader.pass(tag);
      else names[name] = reader.text();
    }
  } catch {
    return { metadata: names };
  }
}

/** By tag: number and wire type of the field. */
const namesAt: Readonly<Record<number, string>> = { 10: 'name', 26: 'namespace' };
