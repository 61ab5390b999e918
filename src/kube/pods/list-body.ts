import { printable } from '../../printable.ts';
import type { MalformedPod, PodRef, PodView } from '../../vocabulary.ts';
import { BodyError, type Bytes, largestObject, tooLarge, upTo } from '../http/body.ts';
import { Incoming } from '../http/incoming.ts';
import { record, text } from '../json.ts';
import { isAtWork } from './at-work.ts';
import { readJsonItems } from './json-items.ts';
import type { ListPart } from './list-part.ts';
import { narrowNames, narrowPod } from './narrow.ts';
import { readProtobufItems } from './protobuf/items.ts';
import { isProtobuf } from './protobuf/split-list.ts';

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
/** As many pods as a page has, or fewer if they are large. */
const batchPods = 500;
const batchBytes = 4 * 1024 * 1024;
/** The API server gives out nothing but pods: an answer with so many of anything else is not its own. */
const malformedAllowed = 10_000;

/**
 * A hundred times what a page is asked for, and several times what the largest cluster has. Of nothing but the smallest items,
 * there would be millions.
 */
const mostItems = { page: 50_000, list: 1_000_000 } as const;

/** A page of a list. */
export async function readPodList(bytes: Bytes): Promise<PodListBody> {
  const pods: PodView[] = [];
  const malformed: MalformedPod[] = [];
  const frame = await readBatches(
    itemsOf(upTo(largestPage, bytes, 'a page of the list')),
    async (batch) => {
      for (const pod of batch.pods) pods.push(pod);
      for (const one of batch.malformed) malformed.push(one);
    },
    mostItems.page,
  );
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
  const meter = new Meter(bytes);
  const handOver = async (batch: PodBatch) => {
    await hand(batch);
    meter.reset();
  };
  return readBatches(
    itemsOf(meter.bytes(), isAtWork),
    handOver,
    mostItems.list,
    () => meter.read >= batchBytes,
  );
}

/** Narrows each pod as soon as it has arrived, so that only one is in memory as it came. */
async function readBatches(
  items: AsyncIterable<ListPart>,
  hand: (batch: PodBatch) => Promise<void>,
  most: number,
  isLarge: () => boolean = () => false,
): Promise<string> {
  let pods: PodView[] = [];
  let malformed: MalformedPod[] = [];
  let atWork: PodRef[] = [];
  let frame = '';
  const sum = { items: 0, malformed: 0 };
  const handOver = async () => {
    const batch = { pods, malformed, atWork };
    const size = sizeOf(batch);
    sum.items += size;
    sum.malformed += malformed.length;
    pods = [];
    malformed = [];
    atWork = [];
    if (size > 0) await hand(batch);
    if (sum.malformed > malformedAllowed) throw noPods();
    if (sum.items > most) throw tooMany(most);
  };
  for await (const piece of items) {
    switch (piece.kind) {
      case 'Item': {
        const pod = narrowPod(piece.item);
        if ('problem' in pod) malformed.push({ ...nameOf(piece.item), problem: pod.problem });
        else pods.push(pod);
        break;
      }
      case 'AtWork': {
        const ref = narrowNames(piece.item);
        if (ref) atWork.push(ref);
        else
          malformed.push({
            ...nameOf(piece.item),
            problem: 'no name, uid or restartPolicy that Kubernetes allows',
          });
        break;
      }
      case 'TooLarge': {
        const { message } = tooLarge('the pod', largestObject);
        malformed.push({ ...nameOf(piece.item), problem: `TooLarge: ${message}` });
        break;
      }
      case 'Frame':
        frame = piece.text;
        break;
    }
    if (sizeOf({ pods, malformed, atWork }) >= batchPods || isLarge()) await handOver();
  }
  await handOver();
  return frame;
}

/** Kubernetes' protobuf is asked for; a server or a proxy that has none answers in JSON. */
async function* itemsOf(
  bytes: Bytes,
  isLeftOut: (item: unknown) => boolean = () => false,
): AsyncGenerator<ListPart, void, void> {
  const incoming = new Incoming(bytes);
  if (await isProtobuf(incoming)) yield* readProtobufItems(incoming, isLeftOut);
  else yield* readJsonItems(incoming.rest(), isLeftOut);
}

function sizeOf({ pods, malformed, atWork }: PodBatch): number {
  return pods.length + malformed.length + atWork.length;
}

/** Counts what has arrived since the last batch, and ends what brings no pod however much arrives. */
class Meter {
  read = 0;

  constructor(private readonly arriving: Bytes) {}

  async *bytes(): Bytes {
    for await (const chunk of this.arriving) {
      this.read += chunk.length;
      if (this.read > largestPage) throw tooLarge('what comes between two pods', largestPage);
      yield chunk;
    }
  }

  reset(): void {
    this.read = 0;
  }
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
