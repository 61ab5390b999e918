import { describe, expect, it } from 'vitest';
import { largestObject } from '../../../../src/kube/http/body.ts';
import { readPodList } from '../../../../src/kube/pods/list-body.ts';

const kibi = 1024;
const mebi = 1024 * kibi;
const magic = Buffer.from('k8s\0');
/** The most that a varint of 32 bits says: a length of 4 GiB. */
const huge = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]);

/** A length-delimited field. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Buffer.from([...bytes, rest]);
}

const type = field(1, Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from('PodList'))]));
/** A list that says that it is as long as a list can be. */
const hugeList = Buffer.concat([magic, type, Buffer.from([0x12]), huge]);
const names = field(1, Buffer.concat([field(1, Buffer.from('fat')), field(3, Buffer.from('demo'))]));
const emptyPod = field(2, Buffer.alloc(0));

/** Begins like this, and repeats the rest for ever. */
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

async function* whole(...parts: readonly Buffer[]) {
  yield Buffer.concat(parts);
}

describe('a list in protobuf without an end is given up, and is never "no pods":', () => {
  it.each<readonly [title: string, begins: Buffer, repeats: Buffer, most: number]>([
    ['one item of 4 GiB', Buffer.concat([hugeList, Buffer.from([0x12]), huge]), Buffer.from('x'), mebi],
    [
      'an unknown field of 4 GiB',
      Buffer.concat([hugeList, Buffer.from([0x7a]), huge]),
      Buffer.from('x'),
      mebi,
    ],
    [
      'metadata that never end',
      Buffer.concat([hugeList, Buffer.from([0x0a]), varint(1e9)]),
      Buffer.from('x'),
      mebi,
    ],
    ['unknown fields that never stop', hugeList, field(15, Buffer.alloc(9)), mebi],
    ['unknown fields before the list that never stop', magic, field(15, Buffer.alloc(9)), mebi],
    ['types that never stop', magic, type, mebi],
    [
      'an unknown field before the list',
      Buffer.concat([magic, Buffer.from([0x7a]), huge]),
      Buffer.from('x'),
      65 * mebi,
    ],
    ['items that never stop', hugeList, emptyPod, mebi],
    [
      'a type that never ends',
      Buffer.concat([magic, Buffer.from([0x0a]), huge]),
      Buffer.from('x'),
      65 * mebi,
    ],
    ['a length that never ends', hugeList, Buffer.from([0xff]), mebi],
  ])('%s', async (_title, begins, repeats, most) => {
    const { bytes, taken } = endless(begins, repeats);
    await expect(readPodList(bytes)).rejects.toMatchObject({
      problem: { kind: expect.stringMatching(/^(TooLarge|Malformed)$/) },
    });
    expect(taken.bytes).toBeLessThanOrEqual(most);
  });

  it('the same of items in JSON', async () => {
    const { bytes } = endless(Buffer.from('{"kind":"PodList","metadata":{},"items":['), Buffer.from('{},'));
    await expect(readPodList(bytes)).rejects.toMatchObject({ problem: { kind: 'Malformed' } });
  });
});

describe('a length beyond the limit', () => {
  const fat = field(2, Buffer.concat([names, field(2, Buffer.alloc(largestObject))]));

  it('is that pod’s, which is undecided by its name', async () => {
    const list = Buffer.concat([field(1, Buffer.alloc(0)), fat, emptyPod]);
    const { malformed } = await readPodList(whole(magic, type, field(2, list)));
    expect(malformed).toMatchObject([
      { namespace: 'demo', name: 'fat', problem: 'TooLarge: the pod has more than 2 MiB' },
      { problem: 'no namespace, name or uid' },
    ]);
  });

  it.each([1, 2, kibi, 5 * kibi, 2 * mebi])(
    'and was cut by %i bytes, fails the read, which is tried again',
    async (cut) => {
      const body = Buffer.concat([magic, type, field(2, Buffer.concat([fat]))]);
      await expect(readPodList(whole(body.subarray(0, -cut)))).rejects.toMatchObject({
        problem: { kind: 'Malformed', isFleeting: true },
      });
    },
  );

  it('and behind the end of the list is no item of it', async () => {
    const list = Buffer.concat([magic, type, Buffer.from([0x12, 0x08, 0x12]), huge]);
    await expect(readPodList(whole(list, Buffer.alloc(mebi)))).rejects.toMatchObject({
      problem: { kind: 'Malformed', isFleeting: true },
    });
  });

  it('of the metadata fails the page: the rest of the list is named there', async () => {
    const list = Buffer.concat([field(1, Buffer.alloc(largestObject)), emptyPod]);
    await expect(readPodList(whole(magic, type, field(2, list)))).rejects.toMatchObject({
      problem: { kind: 'TooLarge' },
    });
  });
});
