import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowPod } from '../../../../../src/kube/pods/narrow.ts';
import { readProtobufItems } from '../../../../../src/kube/pods/protobuf/items.ts';
import { arbitraryApiPod } from '../../../../builders/arbitrary-api-pod.ts';
import { piecesOf } from '../../../../builders/arriving.ts';
import { podsAfter, podsBefore } from '../../../../builders/recordings.ts';
import { protobufOf } from '../../../../kit/emulator/index.ts';

/** The pods of a list as the emulator encodes it, arriving in chunks of this size, and as they are read. */
function throughProtobuf(pods: readonly unknown[], chunkBytes: number): readonly unknown[] {
  const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: pods };
  const body = Buffer.concat([...protobufOf(list)]);
  const parts = piecesOf(body, chunkBytes, readProtobufItems, (part) => part);
  return parts.flatMap((part) => (part.kind === 'Item' ? [narrowPod(part.item)] : []));
}

describe('a pod in protobuf has the same facts as in JSON', () => {
  it('whatever is in it, and wherever its bytes are divided', () => {
    const lists = fc.array(arbitraryApiPod, { minLength: 1, maxLength: 10, size: 'max' });
    const sizes = fc.constantFrom(50, 4096, 65_536);
    fc.assert(
      fc.property(lists, sizes, (pods, chunkBytes) => {
        expect(throughProtobuf(pods, chunkBytes)).toEqual(pods.map(narrowPod));
      }),
      { numRuns: 400 },
    );
  });

  it.each([...podsBefore(), ['pods-after', podsAfter()] as const])('in %s', (_recording, recorded) => {
    const pods = [recorded].flat();
    expect(throughProtobuf(pods, 1000)).toEqual(pods.map(narrowPod));
  });
});
