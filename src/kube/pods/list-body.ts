import { printable } from '../../printable.ts';
import type { MalformedPod, PodView } from '../../vocabulary.ts';
import { BodyError, type Bytes, largestObject, tooLarge, upTo } from '../http/body.ts';
import { Incoming } from '../http/incoming.ts';
import { record, text } from '../json.ts';
import { readJsonItems } from './json-items.ts';
import type { ListPart } from './list-part.ts';
import { narrowPod } from './narrow.ts';
import { readProtobufItems } from './protobuf/items.ts';
import { isProtobuf } from './protobuf/split-list.ts';

/** What is kept of a list of pods. */
export interface PodListBody {
  readonly pods: readonly PodView[];
  readonly malformed: readonly MalformedPod[];
  /** What came besides the items, in JSON; the whole body if it is not a list. */
  readonly frame: string;
}

/** A page of 500 pods with 130 KB each. */
const largestPage = 64 * 1024 * 1024;

/** A hundred times what is asked for. Of nothing but the smallest items, a page of this size would have millions. */
const mostItems = 50_000;

/** Narrows each pod as soon as it has arrived, so that only one is in memory as it came. */
export async function readPodList(bytes: Bytes): Promise<PodListBody> {
  const pods: PodView[] = [];
  const malformed: MalformedPod[] = [];
  let frame = '';
  for await (const piece of itemsOf(upTo(largestPage, bytes, 'a page of the list'))) {
    if (pods.length + malformed.length > mostItems) throw tooMany;
    switch (piece.kind) {
      case 'Item': {
        const pod = narrowPod(piece.item);
        if ('problem' in pod) malformed.push({ ...nameOf(piece.item), problem: pod.problem });
        else pods.push(pod);
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
  }
  return { pods, malformed, frame };
}

const tooMany = new BodyError({
  kind: 'TooLarge',
  message: `a page of the list has more than ${mostItems} pods`,
});

/** Kubernetes' protobuf is asked for; a server or a proxy that has none answers in JSON. */
async function* itemsOf(bytes: Bytes): AsyncGenerator<ListPart, void, void> {
  const incoming = new Incoming(bytes);
  yield* (await isProtobuf(incoming)) ? readProtobufItems(incoming) : readJsonItems(incoming.rest());
}

function nameOf(item: unknown): { readonly namespace: string; readonly name: string } {
  const { namespace, name } = record(record(item)['metadata']);
  return { namespace: printable(text(namespace) ?? '', 253), name: printable(text(name) ?? '', 253) };
}
