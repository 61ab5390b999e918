import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { send, TimeLimit } from '../../../../src/kube/client/exchange.ts';

/** The paths that were asked for, and those of them that nobody waited for any more. */
const asked: (string | undefined)[] = [];
const left: (string | undefined)[] = [];
const server = createServer(({ url }, response) => {
  asked.push(url);
  response.on('close', () => response.writableFinished || left.push(url));
  if (url === '/half') response.write('hel');
  else if (url !== '/silent') response.end('hello');
});
const agent = new Agent({ keepAlive: true });
let address = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  left.length = 0;
});
afterAll(() => {
  agent.destroy();
  server.close();
});

async function ask(path: string, abort = new AbortController().signal, over = agent): Promise<string> {
  const limit = new TimeLimit(10_000, abort);
  try {
    return await text(await send(`${address}${path}`, { method: 'GET' }, over, limit));
  } finally {
    limit.end();
  }
}

it('a request that nobody wants any more is ended', async () => {
  const stopping = new AbortController();
  const answer = expect(ask('/silent', stopping.signal)).rejects.toThrow('the request was given up');
  await expect.poll(() => asked).toEqual(['/silent']);
  stopping.abort();
  await answer;
  await expect.poll(() => left).toEqual(['/silent']);
});

it('the rest of an answer that nobody wants any more is not waited for', async () => {
  const stopping = new AbortController();
  const limit = new TimeLimit(10_000, stopping.signal);
  try {
    const body = text(await send(`${address}/half`, { method: 'GET' }, agent, limit));
    stopping.abort();
    await expect(body).rejects.toThrow('aborted');
    await expect.poll(() => left).toEqual(['/half']);
  } finally {
    limit.end();
  }
});

it('a request that nobody wants any more before there is a connection is given up at once', async () => {
  const stopping = new AbortController();
  const never = Object.assign(new Agent(), { createConnection: () => undefined });
  const answer = expect(ask('/later', stopping.signal, never)).rejects.toThrow('the request was given up');
  stopping.abort();
  await answer;
});

it('a request that nobody wants from the beginning is not sent, although a connection is open', async () => {
  expect(await ask('/before')).toBe('hello');
  await expect(ask('/unwanted', AbortSignal.abort())).rejects.toThrow('the request was given up');
  expect(await ask('/after')).toBe('hello');
  expect(asked).toEqual(['/before', '/after']);
});

it('a request that fails says why', async () => {
  const limit = new TimeLimit(10_000, new AbortController().signal);
  try {
    await expect(send('http://127.0.0.1:1', { method: 'GET' }, agent, limit)).rejects.toThrow('ECONNREFUSED');
  } finally {
    limit.end();
  }
});
