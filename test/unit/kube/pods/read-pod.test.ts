import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/http/answer.ts';
import { readPod } from '../../../../src/kube/pods/read-pod.ts';
import type { PodRef } from '../../../../src/vocabulary.ts';
import { apiPod } from '../../../builders/api-pod.ts';
import {
  answered,
  forbidden,
  notFound,
  serverTime,
  timedOut,
  transportWith,
} from '../../../builders/transport.ts';

const ref: PodRef = { namespace: 'demo', name: 'work-x2k9p', uid: 'uid-1' };
const { signal: abort } = new AbortController();
const read = (answer: Answer) => readPod(transportWith(answer).transport, ref, abort);

it('reads it by its escaped name', async () => {
  const { transport, asked } = transportWith(notFound());
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

it('returns Gone only for a Status from an API server', async () => {
  expect(await read(notFound())).toEqual({ kind: 'Gone' });
  expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
  expect(await read(answered(404, '<html>'))).toMatchObject({ kind: 'Unreadable' });
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
