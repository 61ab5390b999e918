import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryApiPod } from '../../../builders/arbitrary-api-pod.ts';
import { narrowed, read } from '../../../builders/narrowed.ts';
import { podsBefore } from '../../../builders/recordings.ts';

it('every pod that the API can hold is read, and its size is known', () => {
  const property = fc.property(arbitraryApiPod, (pod) => {
    const view = read(pod);
    if (!('problem' in view)) expect(view.size).toBeGreaterThan(100);
  });
  fc.assert(property, { numRuns: 500 });
  for (const [, pod] of podsBefore()) expect(narrowed(pod).size).toBeLessThan(8_192);
});
