import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Incoming } from '../../../../../src/kube/http/incoming.ts';
import { narrowPod } from '../../../../../src/kube/pods/narrow.ts';
import { readProtobufItems } from '../../../../../src/kube/pods/protobuf/items.ts';
import { arbitraryApiPod } from '../../../../builders/arbitrary-api-pod.ts';
import { podsAfter, podsBefore } from '../../../../builders/recordings.ts';
import { protobufOf } from '../../../../emulator/index.ts';

/** The pods of a list as the emulator encodes it, arriving in chunks of this size, and as they are read. */
async function throughProtobuf(pods: readonly unknown[], chunkBytes: number): Promise<readonly unknown[]> {
  const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: pods };
  const body = Buffer.concat([...protobufOf(list)]);
  const views: unknown[] = [];
  for await (const part of readProtobufItems(new Incoming(chunksOf(body, chunkBytes)))) {
    if (part.kind === 'Item') views.push(narrowPod(part.item));
  }
  return views;
}

async function* chunksOf(body: Buffer, size: number): AsyncGenerator<Buffer, void, void> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}

describe('a pod in protobuf has the same facts as in JSON', () => {
  it('whatever is in it, and wherever its bytes are divided', async () => {
    const lists = fc.array(arbitraryApiPod, { minLength: 1, maxLength: 10, size: 'max' });
    const sizes = fc.constantFrom(50, 4096, 65_536);
    await fc.assert(
      fc.asyncProperty(lists, sizes, async (pods, chunkBytes) => {
        expect(await throughProtobuf(pods, chunkBytes)).toEqual(pods.map(narrowPod));
      }),
      { numRuns: 400 },
    );
  });

  it.each([...podsBefore(), ['pods-after', podsAfter()] as const])('in %s', async (_recording, recorded) => {
    const pods = [recorded].flat();
    expect(await throughProtobuf(pods, 1000)).toEqual(pods.map(narrowPod));
  });
});
