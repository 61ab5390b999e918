import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPodView } from '../../../../src/kube/pods/narrow.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { arbitraryApiPod } from '../../../builders/arbitrary-api-pod.ts';
import { narrowed, read } from '../../../builders/narrowed.ts';
import { podBytes } from '../../../builders/pods-in-protobuf.ts';
import { podsAfter, podsBefore } from '../../../builders/recordings.ts';

/** Real pods, of which some bytes are others, or missing. */
const damaged = fc
  .record({
    pod: fc.constantFrom(apiPod(), ...podsAfter().map(Object)),
    changes: fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 8 }),
    cut: fc.nat(20),
  })
  .map(({ pod, changes, cut }) => {
    const bytes = podBytes(pod);
    for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
    return cut > 3 ? bytes : bytes.subarray(0, bytes.length - cut);
  });

describe('the reader never throws, and gives a pod with names or a problem:', () => {
  it.each<[string, fc.Arbitrary<Uint8Array>]>([
    ['arbitrary bytes', fc.uint8Array({ maxLength: 200 })],
    ['a damaged pod', damaged],
  ])('%s', (_title, arbitrary) => {
    const property = fc.property(arbitrary, (bytes) => {
      const pod = readPodView(Buffer.from(bytes));
      if ('problem' in pod) expect(pod.problem).not.toBe('');
      else for (const { name } of pod.containers) expect(name).toMatch(/./s);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

it('every pod that the API can hold is read, and its size is known', () => {
  const property = fc.property(arbitraryApiPod, (pod) => {
    const view = read(pod);
    if (!('problem' in view)) expect(view.size).toBeGreaterThan(100);
  });
  fc.assert(property, { numRuns: 500 });
  for (const [, pod] of podsBefore()) expect(narrowed(pod).size).toBeLessThan(8_192);
});
