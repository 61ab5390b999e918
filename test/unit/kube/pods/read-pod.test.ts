import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import type { ListTransport } from '../../../../src/kube/client/transport.ts';
import { readPod } from '../../../../src/kube/pods/answer.ts';
import type { PodRef } from '../../../../src/model/pod.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import { readRecording } from '../../../builders/recordings.ts';
import {
  answered,
  forbidden,
  headOf,
  notFound,
  serverTime,
  timedOut,
  transportWith,
} from '../../../builders/transport.ts';
import { protobufOf } from '../../../kit/emulator/index.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const { signal: abort } = new AbortController();
const read = (answer: Answer) => readPod(transportWith(answer).transport, ref, abort);

it('reads it by its escaped name', async () => {
  const { transport, asked } = transportWith(notFound('../x?y#z'));
  await readPod(transport, { namespace: 'a/b', name: '../x?y#z', uid: 'u' }, abort);
  expect(asked[0]?.path).toBe('/api/v1/namespaces/a%2Fb/pods/..%2Fx%3Fy%23z');
});

it('returns it with the server’s time', async () => {
  expect(await read(answered(200, apiPod()))).toMatchObject({
    kind: 'Present',
    pod: { ref },
    asOf: serverTime,
  });
});

it('detects another pod with the same name', async () => {
  const other = apiPod({ metadata: { uid: 'uid-2' } });
  expect(await read(answered(200, other))).toEqual({ kind: 'Replaced', uid: 'uid-2' });
});

it.each([{ name: 'another' }, { namespace: 'another' }])(
  'refuses an answer with another pod: %j',
  async (other) => {
    expect(await read(answered(200, apiPod({ metadata: other })))).toMatchObject({
      kind: 'Unreadable',
      problem: { kind: 'Malformed', message: expect.stringContaining('another pod') },
    });
  },
);

it('returns Gone only for a Status from an API server', async () => {
  expect(await read(notFound(ref.name))).toEqual({ kind: 'Gone' });
  expect(await read(notFound('cluster-1'))).toMatchObject({ kind: 'Unreadable' });
  expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
  expect(await read(answered(404, '<html>'))).toMatchObject({ kind: 'Unreadable' });
  const kindless = { status: 'Failure', message: 'not found', details: { name: 'pod' } };
  expect(await read(answered(404, kindless))).toMatchObject({ kind: 'Unreadable' });
});

it('says of a page that it is no pod', async () => {
  const message =
    'the server answered with something that is not a pod (HTML): is it a Kubernetes API server?';
  expect(await read(answered(200, '\n<html>'))).toMatchObject({ problem: { kind: 'Malformed', message } });
});

it.each<readonly [title: string, answer: Answer, problem: string]>([
  ['forbidden', forbidden, 'Forbidden'],
  ['not answered', timedOut, 'TimedOut'],
  ['a server error', answered(500, ''), 'Rejected'],
  ['a login page', answered(200, '<html>'), 'Malformed'],
  ['null', answered(200, 'null'), 'Malformed'],
  ['a Status with HTTP 200', answered(200, { kind: 'Status', status: 'Failure' }), 'Malformed'],
])('returns why it cannot be read: %s', async (_title, answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
});

describe('in protobuf, which is asked for first,', () => {
  const inProtobuf = (status: number, body: Uint8Array): ListTransport => ({
    async read(_path, _query, take) {
      const head = headOf({ status, date: serverTime });
      async function* bytes() {
        yield body;
      }
      return { kind: 'Answered', ...head, body: await take(bytes(), head), retryAfter: undefined };
    },
    redact: (text) => text,
  });

  it('a pod has the same facts as in JSON', async () => {
    const inJson = await read(answered(200, apiPod()));
    const transport = inProtobuf(200, Buffer.concat([...protobufOf(apiPod())]));
    expect(await readPod(transport, ref, abort)).toEqual(inJson);
  });

  it('a recorded 404 means that the pod is gone', async () => {
    const [, , , refused] = readRecording('list-protobuf').exchanges ?? [];
    const body = Buffer.from(refused?.bodyBase64 ?? '', 'base64');
    const asked = { ...ref, name: 'nosuch' };
    expect(await readPod(inProtobuf(404, body), asked, abort)).toEqual({ kind: 'Gone' });
  });

  it('anything but a pod is malformed', async () => {
    const list = { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [] };
    const transport = inProtobuf(200, Buffer.concat([...protobufOf(list)]));
    expect(await readPod(transport, ref, abort)).toMatchObject({
      kind: 'Unreadable',
      problem: { kind: 'Malformed' },
    });
  });
});
