import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { HttpResult } from '../ports.ts';
import { printable } from '../printable.ts';
import type { HttpRequest, Millis, PodRef } from '../vocabulary.ts';
import { refuseHandshake } from './exec-result.ts';
import { podPath } from './paths.ts';
import { problemOfError } from './problem.ts';
import { CredentialError, type Transport } from './transport.ts';

const protocol = 'v4.channel.k8s.io';
const channels = { data: 0, error: 1 } as const;

/**
 * An HTTP request to a port of the pod through port-forward; never rejects. The kubelet dials the pod's own loopback,
 * so that even endpoints that answer nobody else can be reached, and no shell is needed in the image.
 */
export async function requestThroughPod(
  transport: Transport,
  pod: PodRef,
  asked: HttpRequest,
  timeout: Millis,
  signal: AbortSignal,
): Promise<HttpResult> {
  if (signal.aborted) return { kind: 'Undelivered', message: 'the sweep was stopped' };
  const target = await transport.socket(`${podPath(pod, 'portforward')}?ports=${asked.port}`);
  if (target instanceof CredentialError) return { kind: 'Undelivered', message: target.message };
  return new Promise((resolve) => {
    const socket = new WebSocket(target.url, [protocol], {
      ...target.options,
      handshakeTimeout: timeout,
      perMessageDeflate: false,
      maxPayload: 1024 * 1024,
    });
    const tunnel = new Tunnel(socket);
    let sent = false;
    const finish = (result: HttpResult) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      resolve(result);
      socket.terminate();
    };
    const giveUp = (message: string) => finish({ kind: sent ? 'Unconfirmed' : 'Undelivered', message });
    const interrupt = () => giveUp('the sweep was stopped');
    const timer = setTimeout(
      () => giveUp(`no answer within ${timeout / 1000}s (--request-timeout)`),
      timeout,
    );
    signal.addEventListener('abort', interrupt, { once: true });

    socket.on('unexpected-response', (_request, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (body.length < 64 * 1024) body += chunk;
      });
      response.on('close', () => finish(refuseTunnel(response.statusCode ?? 0, body)));
    });
    socket.on('error', (error) => giveUp(problemOfError(error, transport.server).message));
    socket.on('open', () => {
      sent = true;
      sendRequest(tunnel, asked).then(
        (status) => finish({ kind: 'Answered', status }),
        () =>
          finish(
            tunnel.problem === undefined
              ? { kind: 'Closed' }
              : { kind: 'NotListening', message: printable(tunnel.problem) },
          ),
      );
    });
  });
}

function refuseTunnel(httpStatus: number, body: string): HttpResult {
  const refused = refuseHandshake(httpStatus, body, 'pods/portforward');
  switch (refused.kind) {
    case 'NotThere':
    case 'Refused':
    case 'Undelivered':
      return refused;
    case 'Exited':
    case 'NoSuchProgram':
    case 'Unconfirmed':
      return { kind: 'Unconfirmed', message: `HTTP ${httpStatus}` };
  }
}

/** Resolves with the status of the answer; rejects when the other side closes without one. */
function sendRequest(tunnel: Tunnel, { method, path, headers, port }: HttpRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        createConnection: () => tunnel,
        method,
        path,
        // Many of these endpoints answer only to localhost by name.
        headers: { host: `localhost:${port}`, 'content-length': '0', connection: 'close', ...headers },
        maxHeaderSize: 16 * 1024,
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.on('error', () => undefined).resume();
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** The byte stream of one forwarded port: channel 0 carries data, channel 1 what went wrong; each opens with the port. */
class Tunnel extends Duplex {
  problem: string | undefined;
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
    const [channel] = frame;
    if (channel === undefined) return;
    const bytes = frame.subarray(1);
    if (!this.#opened.has(channel)) {
      this.#opened.add(channel);
      return;
    }
    if (channel === channels.data) this.push(bytes);
    else if (channel === channels.error) {
      this.problem = bytes.toString('utf8');
      this.destroy(new Error('the port could not be forwarded'));
    }
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.send(Buffer.concat([Buffer.from([channels.data]), chunk]), done);
  }

  // What node:http asks of a socket.
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
}
