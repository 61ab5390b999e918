import { describe, expect, it } from 'vitest';
import { BodyError } from '../../../../src/kube/http/body.ts';
import type { ListTransport } from '../../../../src/kube/http/transport.ts';
import { findPods } from '../../../../src/kube/pods/find-pods.ts';
import type { ListPart } from '../../../../src/ports.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { answered, headOf, inChunks, serverTime, transportWith } from '../../../builders/transport.ts';
import { protobufOf } from '../../../kit/emulator/index.ts';

const everywhere = { namespaces: [], labelSelector: undefined };
const { signal: abort } = new AbortController();

/** A list as the server writes it in either form: the items do not say what they are. */
function bodies(uids: readonly string[]): Readonly<Record<'JSON' | 'protobuf', Buffer>> {
  const items = uids.map((uid) => {
    const { apiVersion: _apiVersion, kind: _kind, ...pod } = apiPod({ metadata: { name: uid, uid } });
    return pod;
  });
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items };
  return { JSON: Buffer.from(`${JSON.stringify(list)}\n`), protobuf: Buffer.concat(protobufOf(list)) };
}

async function* arriving(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

/** Answers with one body after the other for as long as one cannot be read. */
function trying(...tries: readonly Buffer[]): ListTransport {
  return {
    redact: (text) => text,
    async read(_path, _query, take) {
      const head = { status: 200, date: serverTime };
      let problem = { kind: 'Malformed', message: 'no tries' } as BodyError['problem'];
      for (const bytes of tries) {
        try {
          const body = await take(arriving(bytes, 1_000), headOf(head));
          return { kind: 'Answered', ...head, body, retryAfter: undefined };
        } catch (error) {
          if (!(error instanceof BodyError)) throw error;
          problem = error.problem;
          if (!error.problem.isFleeting) break;
        }
      }
      return { kind: 'Unanswered', problem };
    },
  };
}

async function find(transport: ListTransport, scope = everywhere): Promise<readonly ListPart[]> {
  const parts: ListPart[] = [];
  for await (const part of findPods(transport, scope, abort)) parts.push(part);
  return parts;
}

function uidsOf(parts: readonly ListPart[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'Page' ? part.pods.map(({ ref }) => ref.uid) : []));
}

const page = (uids: readonly string[], token?: string) => {
  const items = uids.map((uid) => apiPod({ metadata: { name: uid, uid } }));
  return answered(200, { kind: 'PodList', apiVersion: 'v1', metadata: { continue: token }, items });
};

describe('pods are found', () => {
  it('by one list from the watch cache, whatever their number', async () => {
    const { transport, asked } = transportWith(page(['a', 'b']));
    expect(uidsOf(await find(transport))).toEqual(['a', 'b']);
    const fieldSelector = 'status.phase=Running,spec.restartPolicy!=Always';
    expect(asked).toEqual([{ path: '/api/v1/pods', query: { fieldSelector, resourceVersion: '0' } }]);
  });

  it('as of the time in the head of the answer', async () => {
    const { transport } = transportWith(page(['a']));
    expect(await find(transport)).toMatchObject([{ kind: 'Page', asOf: serverTime }]);
  });

  it('none, as of a time', async () => {
    const { transport } = transportWith(page([]));
    expect(await find(transport)).toEqual([{ kind: 'Page', pods: [], malformed: [], asOf: serverTime }]);
  });

  it('in every namespace that can be read', async () => {
    const refused = answered(403, { kind: 'Status', status: 'Failure', message: 'pods is forbidden' });
    const { transport } = transportWith(refused, page(['b']));
    expect(await find(transport, { ...everywhere, namespaces: ['a', 'demo'] } as never)).toMatchObject([
      { kind: 'Failed', namespace: 'a', problem: { kind: 'Forbidden' } },
      { kind: 'Page', pods: [{ ref: { uid: 'b' } }] },
    ]);
  });

  it('on the pages that follow, if something in between pages of its own accord', async () => {
    const { transport, asked } = transportWith(page(['a'], 'one'), page(['b']));
    expect(uidsOf(await find(transport))).toEqual(['a', 'b']);
    expect(asked[1]?.query).toMatchObject({ continue: 'one' });
    expect(asked[1]?.query['resourceVersion']).toBeUndefined();
  });

  it('on pages, if the server calls the list expired', async () => {
    const expired = answered(410, { kind: 'Status', status: 'Failure', code: 410, metadata: {} });
    const { transport } = transportWith(expired, page(['a']));
    expect(uidsOf(await find(transport))).toEqual(['a']);
  });

  it('in batches of 500', async () => {
    const uids = Array.from({ length: 1_100 }, (_, index) => `uid-${index}`);
    for (const body of Object.values(bodies(uids))) {
      const parts = await find(trying(body));
      expect(parts.map((part) => part.kind === 'Page' && part.pods.length)).toEqual([500, 500, 100]);
      expect(uidsOf(parts)).toEqual(uids);
    }
  });
});

describe.each(['JSON', 'protobuf'] as const)('a list in %s that is cut', (form) => {
  const whole = bodies(['a', 'b', 'c'])[form];
  const cuts = Array.from({ length: whole.length }, (_, length) => whole.subarray(0, length)).filter(
    ({ length }) => length < 200 || whole.length - length < 100 || length % 11 === 0,
  );

  it('anywhere is never fewer pods, but a failure', async () => {
    for (const cut of cuts) {
      const parts = await find(trying(cut));
      const isWhole = uidsOf(parts).length === 3;
      expect(isWhole || parts.at(-1)?.kind === 'Failed', `after ${cut.length} bytes`).toBe(true);
    }
  });

  // Before that, it is not even known what it was to be.
  it('after its first bytes and is whole the next time gives every pod once', async () => {
    for (const cut of cuts.filter(({ length }) => length >= 4)) {
      expect(uidsOf(await find(trying(cut, whole))), `after ${cut.length} bytes`).toEqual(['a', 'b', 'c']);
    }
  });

  it('after several batches gives every pod once', async () => {
    const uids = Array.from({ length: 1_600 }, (_, index) => `uid-${index}`);
    const long = bodies(uids)[form];
    const parts = await find(
      trying(long.subarray(0, long.length * 0.7), long.subarray(0, 0.4 * long.length), long),
    );
    expect(uidsOf(parts)).toEqual(uids);
  });
});

it('a list of which thousands of items are not pods is given up', async () => {
  const items = Array.from({ length: 10_600 }, () => ({ metadata: { name: 'a' } }));
  const { transport } = transportWith(answered(200, { kind: 'PodList', items }));
  expect((await find(transport)).at(-1)).toMatchObject({
    kind: 'Failed',
    problem: { kind: 'Malformed', message: expect.stringContaining('not pods') },
  });
});

it('whoever wants no more stops the request', async () => {
  let signal: AbortSignal | undefined;
  const transport: ListTransport = {
    redact: (text) => text,
    async read(_path, _query, take, abort) {
      signal = abort;
      const head = { status: 200, date: undefined };
      const items = Array.from({ length: 600 }, (_, index) => apiPod({ metadata: { uid: `uid-${index}` } }));
      const body = await take(inChunks(JSON.stringify({ kind: 'PodList', items })), headOf(head));
      return { kind: 'Answered', ...head, body, retryAfter: undefined };
    },
  };
  for await (const _ of findPods(transport, everywhere, abort)) break;
  expect(signal?.aborted).toBe(true);
});
