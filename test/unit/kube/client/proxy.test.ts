import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { throughProxy } from '../../../../src/kube/client/proxy.ts';
import { listening } from '../../../builders/listening.ts';

/** A SOCKS5 proxy that answers each message with the next of these, or hangs up; and what it was sent. */
async function talk(answers: readonly (readonly number[])[], login = '') {
  const heard: number[][] = [];
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard.push([...bytes]);
      const answer = answers[heard.length - 1];
      if (answer) socket.write(Buffer.from(answer));
      else socket.end();
    });
  });
  const port = await listening(server);
  const { signal } = new AbortController();
  try {
    const socket = await throughProxy(new URL(`socks5://${login}127.0.0.1:${port}`), 'a.b', 6443, signal);
    socket.destroy();
    return { heard, error: undefined };
  } catch (error) {
    return { heard, error: error instanceof Error ? error.message.replace(/\d+\.0\.0\.1:\d+/, 'it') : error };
  } finally {
    server.close();
  }
}

const connectTo = [5, 1, 0, 3, 3, 97, 46, 98, 25, 43];
const opened = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80];

describe('a SOCKS5 proxy', () => {
  it('is asked for the host by its name', async () => {
    const { heard, error } = await talk([[5, 0], opened]);
    expect([heard.at(-1), error]).toEqual([connectTo, undefined]);
  });

  it('gets a password if it wants one', async () => {
    const { heard, error } = await talk([[5, 2], [1, 0], opened], 'me:pw@');
    expect(heard.slice(1)).toEqual([[1, 2, 109, 101, 2, 112, 119], connectTo]);
    expect(error).toBeUndefined();
  });

  const refusing = [5, 5, 0, 1, 127, 0, 0, 1, 0, 80];

  // biome-ignore format: one row a line
  it.each<readonly [what: string, answers: readonly (readonly number[])[], error: string]>([
    ['wants another way to authenticate', [[5, 255]], 'no accepted authentication type'],
    ['refuses the password', [[5, 2], [1, 1]], 'Authentication failed'],
    ['refuses the connection', [[5, 0], refusing], 'ConnectionRefused'],
    ['hangs up', [[5, 0]], 'Socket closed'],
  ])('that %s is an error without the password', async (_what, answers, says) => {
    const { error } = await talk(answers, 'me:secret@');
    expect(error).toMatch(/^the proxy it does not open a connection: /);
    expect(error).toContain(says);
    expect(error).not.toContain('secret');
  });
});
