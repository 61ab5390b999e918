import { expect, it } from 'vitest';
import type { Answer } from '../../../src/kube/http/answer.ts';
import { readObject } from '../../../src/kube/read-object.ts';
import {
  answered,
  forbidden,
  notFound,
  serverTime,
  timedOut,
  transportWith,
} from '../../builders/transport.ts';

const { signal: abort } = new AbortController();
const read = (answer: Answer) => readObject(transportWith(answer).transport, '/api/v1/x', abort);

it('reads the path, and returns the object with the server’s time', async () => {
  const { transport, asked } = transportWith(answered(200, { kind: 'X' }));
  expect(await readObject(transport, '/api/v1/x', abort)).toEqual({
    kind: 'Present',
    body: { kind: 'X' },
    asOf: serverTime,
  });
  expect(asked).toEqual([{ path: '/api/v1/x', query: {} }]);
});

it('does not check the body of a 200', async () => {
  expect(await read(answered(200, '<html>'))).toMatchObject({ kind: 'Present', body: undefined });
});

it('returns Gone only for a Status from an API server', async () => {
  expect(await read(notFound())).toEqual({ kind: 'Gone' });
  expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
});

it.each<readonly [title: string, answer: Answer, problem: string]>([
  ['forbidden', forbidden, 'Forbidden'],
  ['not answered', timedOut, 'TimedOut'],
  ['a server error', answered(500, ''), 'Rejected'],
])('returns why it cannot be read: %s', async (_title, answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
});
