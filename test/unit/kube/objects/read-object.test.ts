import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/kube/client/answer.ts';
import { readNamed, readObject } from '../../../../src/kube/objects/objects.ts';
import {
  answered,
  forbidden,
  notFound,
  serverTime,
  timedOut,
  transportWith,
} from '../../../builders/transport.ts';

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
  expect(await read(notFound('node1'))).toEqual({ kind: 'Gone' });
  expect(await read(answered(404, '404 page not found'))).toMatchObject({ kind: 'Unreadable' });
});

it('takes a named object for gone only if the Status is about it', async () => {
  const node = { path: '/api/v1/nodes/node1', kind: 'Node', name: 'node1' };
  const readNode = (answer: Answer) => readNamed(transportWith(answer).transport, node, abort);
  expect(await readNode(notFound('node1'))).toEqual({ kind: 'Gone' });
  expect(await readNode(notFound('cluster-1'))).toMatchObject({ kind: 'Unreadable' });
});

it.each<readonly [title: string, answer: Answer, problem: string]>([
  ['forbidden', forbidden, 'Forbidden'],
  ['not answered', timedOut, 'TimedOut'],
  ['a server error', answered(500, ''), 'Rejected'],
])('returns why it cannot be read: %s', async (_title, answer, kind) => {
  expect(await read(answer)).toMatchObject({ kind: 'Unreadable', problem: { kind } });
});

it.each<readonly [title: string, body: unknown, message: string | undefined]>([
  ['the one that was asked for', { kind: 'Node', metadata: { name: 'node1' } }, undefined],
  ['one that does not say its name', { kind: 'Node' }, undefined],
  ['another one', { kind: 'Node', metadata: { name: 'node2' } }, 'another Node'],
  ['one of another kind', { kind: 'Pod', metadata: { name: 'node1' } }, 'not a Node'],
  ['a page', '<html>', 'not a Node'],
])('reads a named object: %s', async (_title, body, message) => {
  const node = { path: '/api/v1/nodes/node1', kind: 'Node', name: 'node1' };
  const reading = await readNamed(transportWith(answered(200, body)).transport, node, abort);
  expect(reading).toMatchObject(
    message === undefined
      ? { kind: 'Present', body }
      : { kind: 'Unreadable', problem: { kind: 'Malformed', message } },
  );
});
