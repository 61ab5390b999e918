import { printable } from '../../printable.ts';
import type { MalformedPod, PodView } from '../../vocabulary.ts';
import { type Bytes, largestObject, tooLarge, upTo } from '../http/body.ts';
import { parseJson, record, text } from '../json.ts';
import { narrowPod } from './narrow.ts';
import { splitJson } from './split-json.ts';

/** What is kept of a list of pods. */
export interface PodListBody {
  readonly pods: readonly PodView[];
  readonly malformed: readonly MalformedPod[];
  /** What came besides the items; the whole body if it is not a list. */
  readonly frame: string;
}

/** A page of 500 pods with 130 KB each. */
const largestPage = 64 * 1024 * 1024;

/** Narrows each pod as soon as it has arrived, so that only one is in memory as it came. */
export async function readPodList(bytes: Bytes): Promise<PodListBody> {
  const pods: PodView[] = [];
  const malformed: MalformedPod[] = [];
  let frame = '';
  for await (const piece of splitJson(upTo(largestPage, bytes, 'a page of the list'), largestObject)) {
    switch (piece.kind) {
      case 'Item': {
        const item = parseJson(piece.bytes.toString('utf8'));
        const pod = narrowPod(item);
        if ('problem' in pod) malformed.push({ ...nameOf(item), problem: pod.problem });
        else pods.push(pod);
        break;
      }
      case 'TooLarge': {
        const { message } = tooLarge('the pod', largestObject);
        malformed.push({ ...nameOf(beginningOf(piece.bytes)), problem: `TooLarge: ${message}` });
        break;
      }
      case 'Frame':
        frame = piece.bytes.toString('utf8');
        break;
    }
  }
  return { pods, malformed, frame };
}

/** Of a pod's metadata, what comes before the first list or object: the API server writes the names first. */
function beginningOf(bytes: Buffer): unknown {
  const [, fields = ''] = /"metadata"\s*:\s*(\{[^{}[\]]*),/.exec(bytes.toString('utf8')) ?? [];
  return { metadata: parseJson(`${fields}}`) };
}

function nameOf(item: unknown): { readonly namespace: string; readonly name: string } {
  const { namespace, name } = record(record(item)['metadata']);
  return { namespace: printable(text(namespace) ?? '', 253), name: printable(text(name) ?? '', 253) };
}
