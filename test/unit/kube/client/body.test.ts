import { expect, it } from 'vitest';
import { largestMessage, largestObject, readText } from '../../../../src/kube/client/exchange.ts';
import { inChunks } from '../../../builders/pods-in-protobuf.ts';

/** Bytes that never end, and how many of them were taken. */
function endless() {
  const taken = { bytes: 0 };
  async function* bytes() {
    for (;;) {
      taken.bytes += 100_000;
      yield new Uint8Array(100_000);
    }
  }
  return { taken, bytes: bytes() };
}

it('an object is read whole, wherever its bytes are parted', async () => {
  const text = '{"name":"größe"}';
  expect(await readText(inChunks(text, 1), 200)).toBe(text);
});

it('an object without end is given up when it is larger than any', async () => {
  const { bytes, taken } = endless();
  await expect(readText(bytes, 200)).rejects.toMatchObject({
    problem: { kind: 'TooLarge' },
  });
  expect(taken.bytes).toBeLessThan(largestObject + 200_000);
});

it('of an explanation without end, only the beginning is read', async () => {
  const { bytes, taken } = endless();
  expect(await readText(bytes, 500)).toHaveLength(largestMessage);
  expect(taken.bytes).toBeLessThan(largestMessage + 200_000);
});
