import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import type { PodReader } from '../../../../src/kube/client/transport.ts';
import { ListLimit } from '../../../../src/kube/objects/objects.ts';
import { type PodPage, readPodAnswer } from '../../../../src/kube/pods/answer.ts';
import { readPod } from '../../../../src/kube/pods/read.ts';
import { bounds } from '../../../../src/model/bounds.ts';
import type { PodRef } from '../../../../src/model/pod.ts';
import { apiPod, field, inChunks, podListBytes, varint } from '../../../builders/api-pod.ts';
import { readRecording } from '../../../builders/recordings.ts';
import {
  abort,
  answered,
  forbidden,
  notFound,
  readOf,
  serverTime,
  timedOut,
  transportWith,
} from '../../../builders/transport.ts';
import { protobufOf } from '../../../kit/emulator/index.ts';

const kibi = 1024;
const mebi = 1024 * kibi;
/** The recorded answers: the same list as JSON and as protobuf, then a refusal. */
const [inJson, inProtobuf, , refused] = readRecording('list-protobuf').exchanges ?? [];
const recorded = Buffer.from(inProtobuf?.bodyBase64 ?? '', 'base64');

async function read(bytes: AsyncIterable<Uint8Array>, limit = new ListLimit()) {
  const pages: PodPage[] = [];
  const parts = readPodAnswer(bytes, { isLeftOut: () => false, limit, asOf: undefined });
  for (;;) {
    const { done, value } = await parts.next();
    if (!done) pages.push(value);
    else {
      const pods = pages.flatMap((page) => page.pods);
      return { answer: value, pods, malformed: pages.flatMap(({ malformed }) => malformed) };
    }
  }
}

describe('a recorded answer in protobuf', () => {
  it.each([1, 7, 100, 4_096, 65_536])('has the pods of that in JSON, in chunks of %i bytes', async (size) => {
    const { items, metadata } = Object(inJson?.body);
    const { answer, pods } = await read(inChunks(recorded, size));
    expect(pods).toEqual((await read(inChunks(podListBytes(items)))).pods);
    expect(pods.map(({ ref }) => ref.uid)).toEqual(items.map((item: typeof metadata) => item.metadata.uid));
    expect(answer).toMatchObject({ kind: 'PodList', metadata: { continue: metadata.continue } });
  });

  it('that is a refusal is a Status', async () => {
    const { answer } = await read(inChunks(Buffer.from(refused?.bodyBase64 ?? '', 'base64')));
    const status = { reason: 'NotFound', message: 'pods "nosuch" not found', details: { name: 'nosuch' } };
    expect(answer).toMatchObject({ kind: 'Other', object: { kind: 'Status', ...status } });
  });

  it('whose metadata cannot be read may have more pages', async () => {
    const bytes = Buffer.from(recorded);
    // The continue token, and what comes before it, is read as a number.
    const at = bytes.indexOf('eyJ2') - 2;
    bytes.writeUInt8((bytes[at] ?? 0) & ~7, at);
    expect((await read(inChunks(bytes))).answer).toEqual({ kind: 'PodList', metadata: undefined });
  });
});

describe('an item of a list', () => {
  it('that is not a pod is reported by its name, in one printable line', async () => {
    const broken = (name: string) => apiPod({ metadata: { name }, spec: { restartPolicy: '' } });
    const items = [apiPod(), broken('b'), {}, broken('a\u001b[2J\nb'), broken('x'.repeat(1_000))];
    const { pods, malformed } = await read(inChunks(podListBytes(items)));
    expect(pods).toHaveLength(1);
    expect(malformed).toMatchObject([
      { namespace: 'demo', name: 'b', problem: 'no restartPolicy' },
      { namespace: '', name: '', problem: 'no namespace, name or uid' },
      { name: 'a [2J b' },
      { name: `${'x'.repeat(253)}…` },
    ]);
  });

  const large = 'x'.repeat(3_000_000);

  it.each([
    ['has a large annotation', { name: 'huge', annotations: { large } }, 'demo/huge'],
    ['has a name that is too large itself', { name: large }, `/${'x'.repeat(253)}…`],
  ])('that %s is too large, and the others are read', async (_title, metadata, name) => {
    const named = (each: string) => apiPod({ metadata: { name: each } });
    const items = [named('before'), apiPod({ metadata }), named('after')];
    const { pods, malformed } = await read(inChunks(podListBytes(items), 64 * kibi));
    expect(pods.map(({ ref }) => ref.name)).toEqual(['before', 'after']);
    const expected = [[name, 'TooLarge: the pod has more than 2 MiB']];
    expect(malformed.map((one) => [`${one.namespace}/${one.name}`, one.problem])).toEqual(expected);
  });
});

const magic = Buffer.from('k8s\0');
/** The most that a varint of 32 bits says: a length of 4 GiB. */
const huge = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]);

const type = field(1, Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('PodList'))]));
/** A list that says that it is as long as a list can be. */
const hugeList = Buffer.concat([magic, type, Buffer.from([0x12]), huge]);
const names = field(1, Buffer.concat([field(1, Buffer.from('fat')), field(3, Buffer.from('demo'))]));
const emptyPod = field(2, Buffer.alloc(0));

function endless(begins: Buffer, repeats: Buffer) {
  const taken = { bytes: 0 };
  const chunk = Buffer.alloc(Math.ceil((64 * kibi) / repeats.length) * repeats.length, repeats);
  async function* bytes() {
    yield begins;
    for (;;) {
      taken.bytes += chunk.length;
      yield chunk;
    }
  }
  return { taken, bytes: bytes() };
}

const joined = (...bytes: readonly (Buffer | readonly number[])[]) =>
  Buffer.concat(bytes.map((each) => Buffer.from(each)));
const x = Buffer.from('x');

describe('a list without an end is given up, and is never "no pods":', () => {
  it.each<readonly [title: string, begins: Buffer, repeats: Buffer, most: number]>([
    ['one item of 4 GiB', joined(hugeList, [0x12], huge), x, mebi],
    ['an unknown field of 4 GiB', joined(hugeList, [0x7a], huge), x, mebi],
    ['metadata that never end', joined(hugeList, [0x0a], varint(1e9)), x, mebi],
    ['unknown fields that never stop', hugeList, field(15, Buffer.alloc(9)), mebi],
    ['unknown fields before the list that never stop', magic, field(15, Buffer.alloc(9)), mebi],
    ['types that never stop', magic, type, mebi],
    ['an unknown field before the list', joined(magic, [0x7a], huge), x, 65 * mebi],
    ['items that never stop', hugeList, emptyPod, mebi],
    ['a type that never ends', joined(magic, [0x0a], huge), x, 65 * mebi],
    ['a length that never ends', hugeList, Buffer.from([0xff]), mebi],
  ])('%s', async (_title, begins, repeats, most) => {
    const { bytes, taken } = endless(begins, repeats);
    const kind = expect.stringMatching(/^(TooLarge|Malformed)$/);
    await expect(read(bytes)).rejects.toMatchObject({ problem: { kind } });
    expect(taken.bytes).toBeLessThanOrEqual(most);
  });

  it('more pods than any cluster has', async () => {
    const list = podListBytes([apiPod()]);
    const limit = new ListLimit();
    expect(limit.allowsItems(999_999)).toBe(true);
    await expect(read(inChunks(list), limit)).resolves.toMatchObject({ answer: { kind: 'PodList' } });
    const problem = { message: 'the server continues the list without end' };
    await expect(read(inChunks(list), limit)).rejects.toMatchObject({ problem });
  });
});

describe('a length that is wrong', () => {
  const fat = field(2, joined(names, field(2, Buffer.alloc(bounds.object))));

  const retried = { problem: { kind: 'Malformed', isFleeting: true } };

  it.each([1, 2, kibi, 5 * kibi, 2 * mebi])('by %i bytes fails the read; it is tried again', async (cut) => {
    const body = joined(magic, type, field(2, fat)).subarray(0, -cut);
    await expect(read(inChunks(body, mebi))).rejects.toMatchObject(retried);
  });

  it.each([
    ['a message without a list', joined(magic, [0x1a, 0x00])],
    ['a field of another wire type', joined(magic, [0x08, 0x01])],
    ['a list that is shorter than its item', joined(magic, type, [0x12, 0x02, 0x12, 0x05])],
    ['an item after the end of the list', joined(magic, type, [0x12, 0x08, 0x12], huge, Buffer.alloc(mebi))],
    // A reader that learns only at the end that it was a list has read no item.
    ['a list that names its kind only after its items', joined(magic, field(2, emptyPod), type)],
  ])('makes no list: %s', async (_title, body) => {
    await expect(read(inChunks(body, mebi))).rejects.toMatchObject(retried);
  });

  it('of the metadata fails the page: the rest of the list is named there', async () => {
    const list = joined(field(1, Buffer.alloc(bounds.object)), emptyPod);
    const answer = read(inChunks(joined(magic, type, field(2, list)), mebi));
    await expect(answer).rejects.toMatchObject({ problem: { kind: 'TooLarge' } });
  });
});

describe('a pod that is read', () => {
  const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
  const readOne = (answer: Answer) => readPod(transportWith(answer).transport, ref, abort);

  it('reads it by its escaped name, and not from the watch cache', async () => {
    const { transport, asked } = transportWith(notFound('../x?y#z'));
    await readPod(transport, { namespace: 'a/b', name: '../x?y#z', uid: 'u' }, abort);
    expect(asked).toEqual([{ path: '/api/v1/namespaces/a%2Fb/pods/..%2Fx%3Fy%23z', query: {} }]);
  });

  it('is gone only if a Status from an API server says so', async () => {
    expect(await readOne(notFound(ref.name))).toEqual({ kind: 'Gone' });
    const kindless = { status: 'Failure', message: 'not found', details: { name: 'pod' } };
    for (const answer of [
      notFound('cluster-1'),
      ...['404 page not found', '<html>', kindless].map((body) => answered(404, body)),
    ])
      expect(await readOne(answer)).toMatchObject({ kind: 'Unreadable' });
  });

  const unreadable = (message: string) => ({
    kind: 'Unreadable',
    problem: { kind: 'Malformed', message: expect.stringContaining(message) },
  });
  const noPod = 'the server answered with something that is not a pod (HTML): is it a Kubernetes API server?';

  // biome-ignore format: one row a line
  it.each<readonly [title: string, answer: Answer, reading: object]>([
    ['has the server’s time', answered(200, apiPod()), { kind: 'Present', pod: { ref }, asOf: serverTime }],
    ['is another one with the same name', answered(200, apiPod({ metadata: { uid: 'uid-2' } })), { kind: 'Replaced', uid: 'uid-2' }],
    ['is refused if it has another name', answered(200, apiPod({ metadata: { name: 'x' } })), unreadable('another pod')],
    ['is refused if it is of another namespace', answered(200, apiPod({ metadata: { namespace: 'x' } })), unreadable('another pod')],
    ['is none if it is a page', answered(200, '\n<html>'), unreadable(noPod)],
  ])('%s', async (_title, answer, reading) => {
    expect(await readOne(answer)).toMatchObject(reading);
  });

  it.each<readonly [title: string, answer: Answer, problem: string]>([
    ['forbidden', forbidden, 'Forbidden'],
    ['not answered', timedOut, 'TimedOut'],
    ['a server error', answered(500, ''), 'Rejected'],
    ['a login page', answered(200, '<html>'), 'Malformed'],
    ['null', answered(200, 'null'), 'Malformed'],
    ['a Status with HTTP 200', answered(200, { kind: 'Status', status: 'Failure' }), 'Malformed'],
  ])('returns why it cannot be read: %s', async (_title, answer, kind) => {
    expect(await readOne(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
  });

  describe('in protobuf, which is asked for first,', () => {
    const inProtobuf = (status: number, body: Uint8Array): PodReader => ({
      read: readOf(async () => ({ ...answered(status, ''), body }) as Answer<Uint8Array>),
      redact: (text) => text,
    });

    it('a recorded 404 means that the pod is gone', async () => {
      const body = Buffer.from(refused?.bodyBase64 ?? '', 'base64');
      const asked = { ...ref, name: 'nosuch' };
      expect(await readPod(inProtobuf(404, body), asked, abort)).toEqual({ kind: 'Gone' });
    });

    it('anything but a pod is malformed', async () => {
      const list = { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [] };
      const reading = await readPod(inProtobuf(200, Buffer.concat([...protobufOf(list)])), ref, abort);
      expect(reading).toMatchObject({ kind: 'Unreadable', problem: { kind: 'Malformed' } });
    });
  });
});
