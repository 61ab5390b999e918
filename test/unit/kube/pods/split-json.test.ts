import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ListPiece, splitJson } from '../../../../src/kube/pods/split-json.ts';
import { piecesOf } from '../../../builders/arriving.ts';

function split(text: string, { size = 7, largest = 1_000 } = {}) {
  return piecesOf(
    Buffer.from(text),
    size,
    (incoming) => splitJson(incoming, largest),
    ({ kind, bytes }) => ({ kind, text: bytes.toString('utf8') }),
  );
}

function textsOf(pieces: ReturnType<typeof split>, kind: ListPiece['kind']): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : []));
}

it('splits any list into its items and the rest, wherever its bytes are parted', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const order = fc.shuffledSubarray(['kind', 'metadata', 'items'], { minLength: 3 });
  fc.assert(
    fc.property(
      fc.array(json),
      json,
      order,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 2 }),
      (items, metadata, keys, size, indent) => {
        const fields: Readonly<Record<string, unknown>> = { kind: 'PodList', metadata, items };
        const list = Object.fromEntries(keys.map((key) => [key, fields[key]]));
        const pieces = split(JSON.stringify(list, null, indent), { size, largest: 100_000 });
        expect(textsOf(pieces, 'Item').map((text) => JSON.parse(text))).toEqual(
          JSON.parse(JSON.stringify(items)),
        );
        const frame = JSON.parse(textsOf(pieces, 'Frame').join(''));
        expect(frame).toEqual(JSON.parse(JSON.stringify({ ...list, items: [] })));
      },
    ),
  );
});

it.each([
  ['items of items', '{"a":{"items":[1]},"items":[{"items":[2]}]}', ['{"items":[2]}']],
  ['a key that ends alike', '{"an\\"items":[1]}', []],
  ['a value that reads alike', '{"a":"\\"items\\":[1]"}', []],
  ['a string with brackets', '{"items":["]}{[",2]}', ['"]}{["', '2']],
  ['a string that ends with a backslash', '{"items":["\\\\",2]}', ['"\\\\"', '2']],
  ['an empty list', '{"items": [ ] }', []],
  ['a comma without items, which is no empty list', '{"items":[,]}', ['', '']],
  ['a comma behind the last item', '{"items":[1, ]}', ['1', ' ']],
  ['null', 'null', []],
  ['nothing', '', []],
  ['HTML', '<a href="x">[1]</a>', []],
])('%s', (_title, text, items) => {
  for (const size of [1, 3, 1_000]) expect(textsOf(split(text, { size }), 'Item')).toEqual(items);
});

describe('an item that is too large', () => {
  it('is given up, and the others are not', () => {
    const text = `{"items":[1,"${'x'.repeat(1_000)}",2]}`;
    for (const size of [1, 100, 10_000]) {
      const pieces = split(text, { size });
      expect(textsOf(pieces, 'Item')).toEqual(['1', '2']);
      expect(textsOf(pieces, 'TooLarge')).toHaveLength(1);
    }
  });

  it('shows its beginning', () => {
    const pieces = split(`{"items":[{"name":"a","${'x'.repeat(100_000)}":1}]}`, { largest: 5_000 });
    expect(textsOf(pieces, 'TooLarge')).toEqual([`{"name":"a","${'x'.repeat(4_083)}`]);
  });
});

it.each(['{"items":[', '{"items":[1', '{"items":[1]', '{"kind":"Pod', '{"items":["'])(
  'a list that breaks off is told from a whole one: %s',
  (text) => {
    expect(() => split(text)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ kind: 'Malformed', isFleeting: true }) }),
    );
  },
);

it.each([
  ['a long string', `{"kind":"${'x'.repeat(100_000)}"}`],
  ['blanks', ' '.repeat(100_000)],
  ['HTML', '<p>'.repeat(40_000)],
])('of what is not an item, only the beginning is kept: %s', (_title, text) => {
  const pieces = split(text, { size: 10_000 });
  expect(textsOf(pieces, 'Frame')).toEqual([text.slice(0, 64 * 1024)]);
});
