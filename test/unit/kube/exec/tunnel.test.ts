import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { requestThroughPod } from '../../../../src/kube/exec/tunnel.ts';
import { frame, type SocketServer, socketServer } from '../../../builders/socket-server.ts';

let server: SocketServer | undefined;

const port = Buffer.from([0x3a, 0x98]);

/** Sends a request through a port-forward. `answer` gets the connection after the whole request; the port receives the text. */
async function request(answer: (socket: WebSocket) => void, timeout = 60_000) {
  let received = '';
  server = await socketServer({
    accept(socket) {
      for (const channel of [0, 1]) socket.send(frame(channel, port));
      socket.on('message', (data) => {
        received += data.toString('utf8').replace('\0', '');
        if (received.endsWith('\r\n\r\n')) answer(socket);
      });
    },
  });
  const pod = { namespace: 'demo', name: 'work', uid: 'uid-1' };
  const more = { headers: { 'x-a': 'b' }, statuses: [] };
  const asked = { method: 'POST', path: '/quitquitquit', port: 15_000, ...more };
  const { signal: abort } = new AbortController();
  const result = await requestThroughPod({ ...server.transport, timeout }, pod, asked, abort);
  return { result, received };
}

it('requests the port, and sends HTTP like a client on the same host', async () => {
  const { received } = await request((socket) => socket.close());
  expect(server?.asked).toEqual([
    ['/api/v1/namespaces/demo/pods/work/portforward?ports=15000', 'v4.channel.k8s.io'],
  ]);
  const [line, ...headers] = received.trimEnd().split('\r\n');
  expect(line).toBe('POST /quitquitquit HTTP/1.1');
  const expected = ['connection: close', 'content-length: 0', 'host: localhost:15000', 'x-a: b'];
  expect(headers.map((header) => header.toLowerCase()).sort()).toEqual(expected);
});

describe('a request returns', () => {
  type Answering = (socket: WebSocket) => void;
  const answers =
    (...parts: readonly string[]): Answering =>
    (socket) =>
      parts.forEach((part) => void socket.send(frame(0, part)));
  const tells =
    (words: string, ...parts: readonly string[]): Answering =>
    (socket) => {
      answers(...parts)(socket);
      socket.send(frame(1, words));
    };
  const broken = (how: string) =>
    tells(
      'error forwarding port 15000 to pod 6b79, uid : failed to execute portforward in network namespace ' +
        `"/var/run/netns/cni-1": ${how}`,
    );
  const upgraded = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';
  const closed = { kind: 'Closed' };
  const notListening = (message: string) => ({ kind: 'NotListening', message });
  const notHttp = notListening('what listens there does not speak HTTP');

  // biome-ignore format: one row a line
  it.each<readonly [title: string, answer: Answering, result: object]>([
    ['the status of the answer, even if it is split into frames', answers('HTTP/1.1 2', '02 Accepted\r\ncontent-le', 'ngth: 0\r\n\r\n'), { kind: 'Answered', status: 202 }],
    ['the status of an answer that switches protocols', answers(upgraded), { kind: 'Answered', status: 101 }],
    ['no answer if the other side closes', (socket) => socket.close(1000), closed],
    ['no answer if it drops', (socket) => socket.terminate(), closed],
    ['no answer if it sends a partial one', (socket) => { answers('HTTP/1.1 20')(socket); socket.close(1000); }, closed],
    ['no answer if the kubelet had a connection that was reset', broken('read tcp4 127.0.0.1:46540->127.0.0.1:15000: read: connection reset by peer'), closed],
    ['no answer if it could not write to that', broken('write tcp4 127.0.0.1:46540->127.0.0.1:15000: write: broken pipe'), closed],
    ['no answer if the port had begun to answer, whatever the kubelet says', tells('lost', 'HTTP/1.1 20'), closed],
    ['the kubelet’s message if nothing listens on the port', tells('connection refused\n'), notListening('connection refused')],
    ['that nothing listens, even if it does not say why', tells('\n'), notListening('the port could not be forwarded')],
    ['what listens there if that speaks SSH', answers('SSH-2.0-OpenSSH_9.6\r\n'), notHttp],
    ['what listens there if that speaks TLS', answers('\u0015\u0003\u0001\u0000\u0002\u0002\u0046'), notHttp],
    ['what listens there if that speaks HTTP/2', answers('\u0000\u0000\u0006\u0004\u0000\u0000\u0000\u0000\u0000\u0000\u0005\u0000\u0000@\u0000'), notHttp],
  ])('%s', async (_title, answer, expected) => {
    expect((await request(answer)).result).toEqual(expected);
  });

  it('no proof without an answer', async () => {
    // Long enough for a busy machine to connect.
    const expected = { kind: 'Unconfirmed', message: 'no answer within 1.5s (--request-timeout)' };
    expect((await request(() => undefined, 1_500)).result).toEqual(expected);
  });
});
