import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openSocks } from '../../../../src/kube/client/proxy.ts';

/** A proxy that answers each message with the next of these, and returns what it was sent. */
async function talk(answers: readonly (readonly number[])[], username = '') {
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  const error: unknown = await openSocks(socket, { host: 'a.b', port: 6443, username, password: 'pw' }).catch(
    (problem) => problem.message,
  );
  socket.destroy();
  server.close();
  return { heard, error };
}

const connectTo = [5, 1, 0, 3, 3, 97, 46, 98, 25, 43];
const opened = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80];

it('the proxy is asked for the host by its name', async () => {
  expect(await talk([[5, 0], opened])).toEqual({ heard: [[5, 1, 0], connectTo], error: undefined });
});

it('a password is sent if the proxy wants one', async () => {
  const { heard, error } = await talk([[5, 2], [1, 0], opened], 'me');
  expect(heard).toEqual([[5, 2, 0, 2], [1, 2, 109, 101, 2, 112, 119], connectTo]);
  expect(error).toBeUndefined();
});

it.each<readonly [what: string, answers: readonly (readonly number[])[], error: string]>([
  ['wants another way to authenticate', [[5, 255]], 'it does not accept this kind of authentication'],
  [
    'refuses the password',
    [
      [5, 2],
      [1, 1],
    ],
    'it does not accept the password',
  ],
  [
    'refuses the connection',
    [
      [5, 0],
      [5, 5, 0, 1],
    ],
    'it refuses (SOCKS reply 5)',
  ],
  ['hangs up', [[5, 0]], 'it closed the connection'],
])('a proxy that %s is an error', async (_what, answers, error) => {
  expect((await talk(answers, 'me')).error).toBe(error);
});
