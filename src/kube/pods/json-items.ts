import { type Bytes, largestObject } from '../http/body.ts';
import { parseJson } from '../json.ts';
import type { ListPart } from './list-part.ts';
import { splitJson } from './split-json.ts';

/** The parts of a list in JSON. Throws a BodyError if the list breaks off. */
export async function* readJsonItems(
  bytes: Bytes,
  isLeftOut: (item: unknown) => boolean = () => false,
): AsyncGenerator<ListPart, void, void> {
  for await (const { kind, bytes: piece } of splitJson(bytes, largestObject)) {
    const text = piece.toString('utf8');
    switch (kind) {
      case 'Item':
        yield itemOf(parseJson(text), isLeftOut);
        break;
      case 'TooLarge':
        yield { kind, item: beginningOf(text) };
        break;
      case 'Frame':
        yield { kind, text };
        break;
    }
  }
}

function itemOf(item: unknown, isLeftOut: (item: unknown) => boolean): ListPart {
  return { kind: isLeftOut(item) ? 'AtWork' : 'Item', item };
}

/** Of a pod's metadata, what comes before the first list or object: the API server writes the names first. */
function beginningOf(text: string): unknown {
  const [, fields = ''] = /"metadata"\s*:\s*(\{[^{}[\]]*),/.exec(text) ?? [];
  return { metadata: parseJson(`${fields}}`) };
}
