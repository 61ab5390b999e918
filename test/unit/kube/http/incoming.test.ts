import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Incoming } from '../../../../src/kube/http/incoming.ts';

type Act =
  | { readonly kind: 'Push'; readonly bytes: Uint8Array }
  | { readonly kind: 'Take' | 'Peek' | 'Skip'; readonly count: number };

const count = fc.integer({ min: 0, max: 100_000 });
/** Bytes that tell where they came from; drawn ones would take longer than the test. */
function numbered(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index + length) % 251);
}

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.integer({ min: 0, max: 90_000 }).map((length) => ({ kind: 'Push', bytes: numbered(length) }) as const),
  fc.record({ kind: fc.constantFrom('Take', 'Peek', 'Skip'), count }),
);

it('gives bytes in the order in which they arrived, whatever is pushed, taken and skipped', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      const incoming = new Incoming();
      let expected = Buffer.alloc(0);
      for (const act of acts) {
        switch (act.kind) {
          case 'Push':
            incoming.push(act.bytes);
            expected = Buffer.concat([expected, act.bytes]);
            break;
          case 'Take':
            expect(incoming.take(act.count).equals(expected.subarray(0, act.count))).toBe(true);
            expected = expected.subarray(act.count);
            break;
          case 'Peek':
            expect(incoming.peek(act.count).equals(expected.subarray(0, act.count))).toBe(true);
            break;
          case 'Skip':
            expect(incoming.skip(act.count)).toBe(Math.max(0, act.count - expected.length));
            expected = expected.subarray(act.count);
            break;
        }
        expect(incoming.length).toBe(expected.length);
      }
    }),
    { numRuns: 200 },
  );
});
