import { describe, expect, it } from 'vitest';
import { readPodList } from '../../../../../src/kube/pods/list-body.ts';
import { apiPod } from '../../../../builders/api-pod.ts';
import { readRecording } from '../../../../builders/recordings.ts';
import { inChunks } from '../../../../builders/transport.ts';
import { protobufOf } from '../../../../kit/emulator/index.ts';

/** The recorded answers: the same list as JSON and as protobuf, then refusals. */
const [json, protobuf, , notFound] = readRecording('list-protobuf').exchanges ?? [];

async function* bytesOf(base64: string | undefined): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(base64 ?? '', 'base64');
}

async function* arriving(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  yield* chunks;
}

describe('a recorded answer in protobuf', () => {
  it('has the pods of the same answer in JSON, and its continue token', async () => {
    const inJson = await readPodList(inChunks(JSON.stringify(json?.body)));
    const inProtobuf = await readPodList(bytesOf(protobuf?.bodyBase64));
    expect(inProtobuf.pods).toEqual(inJson.pods);
    expect(inProtobuf.pods).toHaveLength(2);
    const frames = [inJson, inProtobuf].map(({ frame }) => JSON.parse(frame));
    expect(frames[1]).toMatchObject({ kind: 'PodList', items: [] });
    expect(frames[1].metadata.continue).toBe(frames[0].metadata.continue);
  });

  it('that is a refusal is a Status, with what it says', async () => {
    const { pods, frame } = await readPodList(bytesOf(notFound?.bodyBase64));
    expect(pods).toEqual([]);
    expect(JSON.parse(frame)).toMatchObject({
      kind: 'Status',
      status: 'Failure',
      reason: 'NotFound',
      message: 'pods "nosuch" not found',
      code: 404,
      details: { name: 'nosuch' },
    });
  });
});

it('a pod of 3 MB is told by its name, and the others are read', async () => {
  const huge = apiPod({ metadata: { name: 'huge', annotations: { padding: 'x'.repeat(3_000_000) } } });
  const before = apiPod({ metadata: { name: 'before' } });
  const after = apiPod({ metadata: { name: 'after' } });
  // The items of a list do not say what they are.
  const items = [before, huge, after].map(({ apiVersion: _apiVersion, kind: _kind, ...pod }) => pod);
  const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items };
  const { pods, malformed } = await readPodList(arriving(protobufOf(list)));
  expect(pods.map(({ ref }) => ref.name)).toEqual(['before', 'after']);
  expect(malformed).toEqual([
    { namespace: 'demo', name: 'huge', problem: expect.stringContaining('TooLarge') },
  ]);
});

it('metadata that cannot be read make it no list: it may have more pages', async () => {
  const bytes = Buffer.from(protobuf?.bodyBase64 ?? '', 'base64');
  // The continue token, and what comes before it, is read as a number.
  const at = bytes.indexOf('eyJ2') - 2;
  bytes.writeUInt8((bytes[at] ?? 0) & ~7, at);
  const { frame } = await readPodList(arriving([bytes]));
  expect(JSON.parse(frame)).toMatchObject({ kind: 'PodList', metadata: null });
});
