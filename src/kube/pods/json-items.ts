import { largestObject } from '../http/body.ts';
import type { Arriving, Incoming } from '../http/incoming.ts';
import { parseJson } from '../json.ts';
import type { ListPart } from './list-part.ts';
import { splitJson } from './split-json.ts';

/** The parts of a list in JSON. Throws a BodyError if the list breaks off. */
export function* readJsonItems(
  incoming: Incoming,
  isLeftOut: (item: unknown) => boolean = () => false,
): Arriving<ListPart> {
  for (const piece of splitJson(incoming, largestObject)) {
    if (!piece) {
      yield undefined;
      continue;
    }
    const text = piece.bytes.toString('utf8');
    switch (piece.kind) {
      case 'Item':
        yield itemOf(parseJson(text), isLeftOut);
        break;
      case 'TooLarge':
        yield { kind: 'TooLarge', item: beginningOf(text) };
        break;
      case 'Frame':
        yield { kind: 'Frame', text };
        break;
    }
  }
}

function itemOf(item: unknown, isLeftOut: (item: unknown) => boolean): ListPart {
  return { kind: isLeftOut(item) ? 'LeftOut' : 'Item', item };
}

/** Of a pod's metadata, what comes before the first list or object: the API server writes the names first. */
function beginningOf(text: string): unknown {
  const [, fields = ''] = /"metadata"\s*:\s*(\{[^{}[\]]*),/.exec(text) ?? [];
  return { metadata: parseJson(`${fields}}`) };
}
