import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf } from '../../../src/cli/lines.ts';

async function linesIn(chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const read = (async function* () {
    yield* chunks;
  })();
  for await (const line of linesOf(read)) lines.push(line);
  return lines;
}

it('lines are the same however they come in chunks, and no character is cut', async () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n') && text !== '\ufeff');
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 9 }), async (lines, size) => {
      const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, number) =>
        bytes.subarray(number * size, (number + 1) * size),
      );
      expect(await linesIn(chunks)).toEqual(lines);
    }),
  );
});

it('the last line needs no line feed', async () => {
  expect(await linesIn(['a\nb'])).toEqual(['a', 'b']);
  expect(await linesIn(['a\n'])).toEqual(['a']);
  expect(await linesIn([])).toEqual([]);
});
