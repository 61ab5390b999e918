import { request } from 'node:http';
import { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Cluster, HttpRequest, HttpResult } from '../../model/ports.ts';
import { printable } from '../../util/text.ts';
import type { Over, SocketOpener } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';
import { openSession } from './exec.ts';

const channels = { data: 0, error: 1 } as const;

/** The kubelet dials the pod's own loopback, which reaches endpoints that listen only there, and needs no shell. */
export const requestThroughPod: Over<SocketOpener, Cluster['request']> = (transport, pod, asked, abort) => {
  const path = `${podPath(pod, 'portforward')}?ports=${asked.port}`;
  const upgrade = { path, resource: 'pods/portforward' } as const;
  return openSession<HttpResult>(transport, upgrade, abort, (socket, finish) => {
    const tunnel = new Tunnel(socket);
    sendRequest(tunnel, asked).then(
      (status) => finish({ kind: 'Answered', status }),
      (error: NodeJS.ErrnoException) => finish(withoutAnswer(tunnel, error, transport.redact)),
    );
  });
};

/** Whatever had a connection may have got the request. */
function withoutAnswer(
  { problem, hasAnswered }: Tunnel,
  { code }: NodeJS.ErrnoException,
  redact: SocketOpener['redact'],
): HttpResult {
  if (code === 'HPE_INVALID_CONSTANT') {
    return { kind: 'NotListening', message: 'what listens there does not speak HTTP' };
  }
  // containerd also reports how a connection ended, as in `read tcp4 …: read: connection reset by peer`
  // (kubernetes/kubernetes#111825). A process that quits does not always close its connections in order.
  const hasBroken = /\b(?:read|write) tcp|connection reset by peer|broken pipe/i.test(problem ?? '');
  if (problem === undefined || hasAnswered || hasBroken) return { kind: 'Closed' };
  return { kind: 'NotListening', message: printable(redact(problem)) || 'the port could not be forwarded' };
}

/** A server may send any number of 1xx before its answer; each takes memory until it is collected. */
const mostInterim = 100;

function sendRequest(tunnel: Tunnel, { method, path, headers, port }: HttpRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    // Many of these endpoints only answer requests for localhost by name.
    const own = { host: `localhost:${port}`, 'content-length': '0', connection: 'close', ...headers };
    let interim = 0;
    request({ createConnection: () => tunnel, method, path, headers: own, maxHeaderSize: 16 * 1024 })
      .on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.on('error', () => undefined).resume();
      })
      .on('upgrade', ({ statusCode = 0 }) => resolve(statusCode))
      .on('information', () => {
        if (++interim > mostInterim) tunnel.destroy(new Error('too many interim responses'));
      })
      .on('error', reject)
      .end();
  });
}

/** Channel 0 carries data and channel 1 errors; the first frame of each only holds the port. */
class Tunnel extends Duplex {
  problem: string | undefined;
  hasAnswered = false;
  readonly #opened = new Set<number>();

  constructor(private readonly socket: WebSocket) {
    super();
    socket.on('message', (data, isBinary) => {
      if (isBinary && Buffer.isBuffer(data)) this.#receive(data);
    });
    socket.on('close', () => this.push(null));
    this.on('error', () => undefined);
  }

  #receive(frame: Buffer): void {
    const [channel = Number.NaN] = frame;
    const isFirst = this.#opened.size < this.#opened.add(channel).size;
    const bytes = frame.subarray(1);
    if (isFirst) return;
    if (channel === channels.data) {
      this.hasAnswered ||= bytes.length > 0;
      this.push(bytes);
    } else if (channel === channels.error) {
      this.problem = bytes.toString('utf8');
      this.destroy(new Error('the port could not be forwarded'));
    }
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.send(Buffer.concat([Buffer.from([channels.data]), chunk]), done);
  }
}
