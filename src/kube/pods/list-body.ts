import type { MalformedPod, PodRef, PodView } from '../../model/pod.ts';
import { printable } from '../../printable.ts';
import { BodyError, type Bytes, largestObject, tooLarge, upTo } from '../http/body.ts';
import { type Arriving, Incoming } from '../http/incoming.ts';
import { record, text } from '../json.ts';
import { isAtWork } from './at-work.ts';
import { readJsonItems } from './json-items.ts';
import type { ListPart } from './list-part.ts';
import { narrowNames, narrowPod } from './narrow.ts';
import { readProtobufItems } from './protobuf/items.ts';
import { isProtobuf, magicBytes } from './protobuf/split-list.ts';

/** A part of a list of pods. */
export interface PodBatch {
  readonly pods: readonly PodView[];
  readonly malformed: readonly MalformedPod[];
  /** Those of which no container has ended, where these are left out. */
  readonly atWork: readonly PodRef[];
}

/** What is kept of a list of pods. */
export interface PodListBody extends PodBatch {
  /** What came besides the items, in JSON; the whole body if it is not a list. */
  readonly frame: string;
}

/** A page of 500 pods with 130 KB each. */
const largestPage = 64 * 1024 * 1024;
/** As many pods as a page has, or fewer: what is collected while it is young costs least. */
const batchPods = 500;
const batchBytes = 1024 * 1024;
/** The API server gives out nothing but pods: an answer with so many of anything else is not its own. */
const malformedAllowed = 10_000;

/**
 * A hundred times what a page is asked for, and several times what the largest cluster has. Of nothing but the smallest items,
 * there would be millions.
 */
const mostItems = { page: 50_000, list: 1_000_000 } as const;

/** A page of a list, without the pods that are not wanted. */
export async function readPodList(bytes: Bytes, isWanted?: (pod: PodRef) => boolean): Promise<PodListBody> {
  const pods: PodView[] = [];
  const malformed: MalformedPod[] = [];
  const frame = await readBatches(upTo(largestPage, bytes, 'a page of the list'), {
    hand: async (batch) => {
      for (const pod of batch.pods) pods.push(pod);
      for (const one of batch.malformed) malformed.push(one);
    },
    isLeftOut(item) {
      const ref = isWanted && narrowNames(item);
      return ref !== undefined && !isWanted?.(ref);
    },
    most: mostItems.page,
  });
  return { pods, malformed, atWork: [], frame };
}

/**
 * Hands over a list a batch at a time, without the pods of which no container has ended. Gives back what is not an item. Throws a
 * BodyError.
 */
export async function readPodBatches(
  bytes: Bytes,
  hand: (batch: PodBatch) => Promise<void>,
): Promise<string> {
  return readBatches(bytes, {
    hand: ({ pods, malformed, leftOut }) => hand({ pods, malformed, atWork: leftOut }),
    isLeftOut: isAtWork,
    most: mostItems.list,
  });
}

interface Batches {
  readonly hand: (batch: Batch) => Promise<void>;
  readonly isLeftOut: (item: unknown) => boolean;
  /** The most items of the whole. */
  readonly most: number;
}

/** Narrows each pod as soon as it has arrived, so that only one is in memory as it came. */
async function readBatches(bytes: Bytes, { hand, isLeftOut, most }: Batches): Promise<string> {
  const incoming = new Incoming();
  const parts = partsOf(incoming, isLeftOut);
  let batch = emptyBatch();
  let frame = '';
  let readSinceBatch = 0;
  const sum = { items: 0, malformed: 0 };
  const handOver = async () => {
    const size = sizeOf(batch);
    if (size === 0) return;
    sum.items += size;
    sum.malformed += batch.malformed.length;
    const full = batch;
    batch = emptyBatch();
    await hand(full);
    readSinceBatch = 0;
    if (sum.malformed > malformedAllowed) throw noPods();
    if (sum.items > most) throw tooMany(most);
  };
  const takeParts = async () => {
    for (let part = parts.next().value; part; part = parts.next().value) {
      if (part.kind === 'Frame') frame = part.text;
      else add(part, batch);
      if (sizeOf(batch) >= batchPods || readSinceBatch >= batchBytes) await handOver();
    }
  };
  for await (const chunk of bytes) {
    readSinceBatch += chunk.length;
    // What brings no pod is ended, however much arrives.
    if (readSinceBatch > largestPage) throw tooLarge('what comes between two pods', largestPage);
    incoming.push(chunk);
    await takeParts();
  }
  incoming.end();
  await takeParts();
  await handOver();
  return frame;
}

interface Batch {
  readonly pods: PodView[];
  readonly malformed: MalformedPod[];
  readonly leftOut: PodRef[];
}

function emptyBatch(): Batch {
  return { pods: [], malformed: [], leftOut: [] };
}

function add(part: Exclude<ListPart, { readonly kind: 'Frame' }>, { pods, malformed, leftOut }: Batch): void {
  switch (part.kind) {
    case 'Item': {
      const pod = narrowPod(part.item);
      if ('problem' in pod) malformed.push({ ...nameOf(part.item), problem: pod.problem });
      else pods.push(pod);
      break;
    }
    case 'LeftOut': {
      const ref = narrowNames(part.item);
      if (ref) leftOut.push(ref);
      else malformed.push({ ...nameOf(part.item), problem: notAPodsNames });
      break;
    }
    case 'TooLarge': {
      const { message } = tooLarge('the pod', largestObject);
      malformed.push({ ...nameOf(part.item), problem: `TooLarge: ${message}` });
      break;
    }
  }
}

const notAPodsNames = 'no name, uid or restartPolicy that Kubernetes allows';

/** Kubernetes' protobuf is asked for; a server or a proxy that has none answers in JSON. */
function* partsOf(incoming: Incoming, isLeftOut: (item: unknown) => boolean): Arriving<ListPart> {
  while (incoming.length < magicBytes && !incoming.hasEnded) yield undefined;
  if (isProtobuf(incoming.peek(magicBytes))) yield* readProtobufItems(incoming, isLeftOut);
  else yield* readJsonItems(incoming, isLeftOut);
}

function sizeOf({ pods, malformed, leftOut }: Batch): number {
  return pods.length + malformed.length + leftOut.length;
}

function tooMany(most: number): BodyError {
  return new BodyError({ kind: 'TooLarge', message: `the list has more than ${most} pods` });
}

function noPods(): BodyError {
  const message = `the list has more than ${malformedAllowed} items that are not pods: is it a Kubernetes API server?`;
  return new BodyError({ kind: 'Malformed', message });
}

function nameOf(item: unknown): { readonly namespace: string; readonly name: string } {
  const { namespace, name } = record(record(item)['metadata']);
  return { namespace: printable(text(namespace) ?? '', 253), name: printable(text(name) ?? '', 253) };
}
