import { getEventListeners, once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../../../../src/kube/http/exchange.ts';

const server = createServer((_request, response) => response.end('hello'));
const agent = new Agent({ keepAlive: true });
let address = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  agent.destroy();
  server.close();
});

it('a request that is over leaves nothing on the signal that could have aborted it', async () => {
  const stopping = new AbortController();
  const response = await send(address, { method: 'GET' }, agent, stopping.signal);
  response.resume();
  await once(response, 'close');
  await expect.poll(() => getEventListeners(stopping.signal, 'abort')).toEqual([]);
});

it('nor does one that fails', async () => {
  const stopping = new AbortController();
  await expect(send('http://127.0.0.1:1', { method: 'GET' }, agent, stopping.signal)).rejects.toThrow();
  await expect.poll(() => getEventListeners(stopping.signal, 'abort')).toEqual([]);
});
