import { hostname } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownPod, processName } from '../../../src/cli/cluster.ts';
import { linesOf } from '../../../src/cli/commands/report.ts';

describe('the lines of a log', () => {
  async function linesIn(chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
    const lines: string[] = [];
    const read = (async function* () {
      yield* chunks;
    })();
    for await (const line of linesOf(read)) lines.push(line);
    return lines;
  }

  it('are the same in chunks of any size, and no character is cut', async () => {
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

  it('need no line feed at the end', async () => {
    expect(await linesIn(['a\nb'])).toEqual(['a', 'b']);
    expect(await linesIn(['a\n'])).toEqual(['a']);
    expect(await linesIn([])).toEqual([]);
  });
});

it('the sweeper’s own pod needs both namespace and name', () => {
  const env = { POD_NAMESPACE: 'tools', POD_NAME: 'sweep-1' };
  expect(ownPod(env)).toEqual({ namespace: 'tools', name: 'sweep-1' });
  expect(ownPod({ POD_NAME: 'sweep-1' })).toBeUndefined();
  expect(ownPod({ ...env, POD_NAMESPACE: '' })).toBeUndefined();
  expect(processName(env)).toBe('sweep-1');
  expect(processName({})).toBe(hostname());
});
