import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readRetries } from '../../src/util/retry.ts';
import { type Calls, reads, unexpected, writes } from './every-call.ts';
import { openAt, RawServer, unstopped } from './raw-server.ts';
import { whole } from './recorded-page.ts';
import { tally } from './tally.ts';

/** In milliseconds. Nothing here is answered, so that a slow machine changes nothing but how much arrives. */
const timeout = 1_500;
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Writes one byte after the other for as long as they are read, many in the time that a request may take. */
function drip(socket: Socket, bytes: Buffer): void {
  let at = 0;
  const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), timeout / 50);
  socket.once('close', () => clearInterval(timer));
}

const ways: Readonly<Record<string, (socket: Socket) => void>> = {
  'never answers': () => undefined,
  'sends half a status line': (socket) => void socket.write('HTTP/1.1 20'),
  'sends headers without end': (socket) => drip(socket, Buffer.from(head + 'x: y\r\n'.repeat(10_000))),
  'sends a head and nothing else': (socket) => void socket.write(`${head}content-length: 1000\r\n\r\n`),
  'stalls in the body': (socket) =>
    void socket.write(`${head}content-length: 10000\r\n\r\n{"kind":${' '.repeat(5_000)}`),
  'stalls in a chunk': (socket) =>
    void socket.write(`${head}transfer-encoding: chunked\r\n\r\nff\r\n{"kind":`),
  'sends a byte now and then': (socket) => drip(socket, Buffer.from(`${head}\r\n${' '.repeat(10_000)}`)),
  'sends a byte of protobuf now and then': (socket) =>
    drip(socket, Buffer.concat([Buffer.from(`${head}\r\n`), whole])),
  'sends 1xx now and then': (socket) =>
    drip(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100))),
};

const unknown = ['TimedOut', 'Unreadable', 'Unknown', 'Unconfirmed', 'Failed', undefined];
const calls = { ...reads, ...writes };
const numberOf = (some: Calls) => Object.keys(some).length;

async function expectGivenUp(title: string, way: (socket: Socket) => void): Promise<void> {
  const server = await RawServer.start(way);
  const cluster = await openAt(server.url, { timeout });
  expect(await unexpected(calls, cluster, unknown), title).toEqual([]);
  // A write may have taken place, so it is never sent again; a read is, but not for ever.
  const isRead = (request: string) => /^GET |selfsubjectaccessreviews/.test(request);
  const sent = server.requests.filter(isRead).length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(numberOf(reads) * readRetries.mostTries);
  expect(server.requests.length - sent, title).toBeLessThanOrEqual(numberOf(writes));
  await cluster.close();
  // No socket is left behind.
  while (server.open.size > 0) await setImmediate();
  await server.stop();
  tally('faults', 'A15', numberOf(calls));
}

it('A15: a server that never ends its answer is given up in time, whatever is asked and however it stalls', async () => {
  await Promise.all(Object.entries(ways).map(([title, way]) => expectGivenUp(title, way)));
});

it('A15: a port that accepts and never speaks TLS is given up in time', async () => {
  const server = await RawServer.start(() => undefined);
  const cluster = await openAt(server.url.replace('http:', 'https:'), { timeout });
  expect(await cluster.readNode('node', unstopped)).toMatchObject({
    kind: 'Unreadable',
    problem: { kind: 'TimedOut' },
  });
  await cluster.close();
  while (server.open.size > 0) await setImmediate();
  await server.stop();
  tally('faults', 'A15', 1);
});
