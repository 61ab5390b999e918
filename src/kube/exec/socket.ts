import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { WebSocket } from 'ws';
import { bounds } from '../../model/bounds.ts';
import type { RequestFailure } from '../../model/ports.ts';
import { onAbort } from '../../util/concurrency.ts';
import { problemOfError } from '../client/answer.ts';
import type { SocketOpener, SocketTarget } from '../client/transport.ts';
import { refuseHandshake } from './results.ts';

/** The upgrade that the API server is asked for; `resource` is its name in RBAC. */
interface Upgrade {
  readonly path: string;
  readonly resource: keyof typeof subprotocols;
}

/** The subprotocols that the server may choose from, the best first: servers before 1.30 have only v4. */
const subprotocols = {
  'pods/exec': ['v5.channel.k8s.io', 'v4.channel.k8s.io'],
  'pods/portforward': ['v4.channel.k8s.io'],
} as const;

/** Finishes when the socket closes at the latest. */
export type Talk<Result> = (socket: WebSocket, finish: (result: Result) => void) => void;

/** The first result counts, and closes the socket: that of `talk`, a refusal, an error, the timeout or the abort. */
export async function openSession<Result>(
  transport: SocketOpener,
  upgrade: Upgrade,
  abort: AbortSignal,
  talk: Talk<Result>,
): Promise<Result | RequestFailure> {
  const target = await transport.socket(upgrade.path, abort);
  // Fetching credentials may take a while, and after an abort nothing must be sent.
  if (abort.aborted) return stopped;
  if (target instanceof Error) return { kind: 'Undelivered', message: target.message };
  const open = (to: SocketTarget) => converse(to, transport, upgrade, abort, talk);
  const first = await open(target);
  if (!first.unauthorized) return first.result;
  const renewed = await target.renewed(abort);
  if (abort.aborted) return stopped;
  return (renewed ? await open(renewed) : first).result;
}

interface Ended<Result> {
  readonly result: Result | RequestFailure;
  readonly unauthorized?: boolean;
}

const stopped: RequestFailure = { kind: 'Undelivered', message: 'the sweep was stopped' };

async function converse<Result>(
  target: SocketTarget,
  { server, timeout, redact }: SocketOpener,
  { resource }: Upgrade,
  abort: AbortSignal,
  talk: Talk<Result>,
): Promise<Ended<Result>> {
  let socket: WebSocket;
  let isSent = false;
  try {
    socket = new WebSocket(target.url, [...subprotocols[resource]], {
      ...target.options,
      finishRequest(request) {
        // Ours are given to it when they are connected.
        request.once('socket', () => {
          isSent = true;
        });
        request.end();
      },
      perMessageDeflate: false,
      maxPayload: bounds.frame,
    });
  } catch (error) {
    // A token with a line break in it makes no header.
    return { result: { kind: 'Undelivered', message: problemOfError(error, server).message } };
  }
  return new Promise((resolve) => {
    let opened = false;
    /** The API server may have opened it by itself, but this came from the kubelet. */
    let heard = false;
    const finish = (result: Result | RequestFailure, unauthorized = false) => {
      clearTimeout(timer);
      leave();
      resolve({ result, unauthorized });
      socket.terminate();
    };
    /** Once it has upgraded the connection, the server may have done what it was asked for. */
    const giveUp = (message: string, silentNode = false) =>
      finish({ kind: opened ? 'Unconfirmed' : 'Undelivered', message, ...(silentNode && { silentNode }) });
    /** The upgrade may be on its way to us, and the command run; a tunnel has carried nothing before. */
    const breakOff = (message: string) => {
      if (opened || !isSent || resource !== 'pods/exec') giveUp(message);
      else finish({ kind: 'Unconfirmed', message, unopened: true });
    };
    const awaited = resource === 'pods/exec' ? 'result' : 'answer';
    const timer = setTimeout(
      // A kubelet that has sent nothing for so long has most likely begun nothing.
      () => giveUp(`no ${awaited} within ${timeout / 1000}s (--request-timeout)`, !heard),
      timeout,
    );
    const leave = onAbort(abort, () => breakOff('the sweep was stopped'));

    socket.on('unexpected-response', (_request, response) => {
      const { statusCode = 0, headers } = response;
      readBody(response, (body) => {
        // The kubelet may have answered (apimachinery's upgradeaware.go): how long to wait is about this pod.
        const refused = refuseHandshake(statusCode, redact(body), resource, headers['retry-after']);
        finish(refused, statusCode === 401);
      });
    });
    socket.on('error', (error) => breakOff(redact(problemOfError(error, server).message)));
    // Also of an upgrade to a subprotocol that was not offered, which then fails here.
    socket.on('upgrade', () => {
      opened = true;
    });
    socket.on('open', () => {
      socket.once('message', () => {
        heard = true;
      });
      talk(socket, (result) => finish(result));
    });
  });
}

function readBody(response: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    body += chunk;
    if (body.length >= bounds.message) response.destroy();
  });
  finished(response, () => done(body));
}
