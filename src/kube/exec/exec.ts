import { toUSVString } from 'node:util';
import { WebSocket } from 'ws';
import { bounds } from '../../model/bounds.ts';
import type { Cluster, ExecResult, RequestFailure } from '../../model/ports.ts';
import { onAbort } from '../../util/concurrency.ts';
import { parseJson } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import { parseStatus, problemOfError } from '../client/answer.ts';
import { readText } from '../client/exchange.ts';
import type { Over, SocketOpener, SocketTarget } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';
import { concludeStatus, refuseHandshake } from './results.ts';

const channels = { stdout: 1, stderr: 2, status: 3 } as const;

/** client-node's Exec resolves on open, never settles if the connection drops, and throws in the event loop on odd frames. */
export const exec: Over<SocketOpener, Cluster['exec']> = (transport, pod, container, command, abort) => {
  const { redact } = transport;
  const options = { container, stdin: 'false', stdout: 'true', stderr: 'true', tty: 'false' };
  const asked = [...command.map((word) => ['command', word] as const), ...Object.entries(options)];
  // URLSearchParams takes three times as long for a script.
  const query = asked.map(([name, value]) => `${name}=${encodeURIComponent(toUSVString(value))}`);
  const upgrade = { path: `${podPath(pod, 'exec')}?${query.join('&')}`, resource: 'pods/exec' } as const;
  return openSession<ExecResult>(transport, upgrade, abort, (socket, finish) => {
    let output = '';
    socket.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) return;
      const payload = data.subarray(1).toString('utf8');
      switch (data[0]) {
        case channels.stdout:
        case channels.stderr:
          output = (output + payload).slice(-bounds.output);
          break;
        case channels.status:
          finish(concludeFrame(redact(payload), redact(output)));
          break;
      }
    });
    socket.on('close', (code) =>
      finish({ kind: 'Unconfirmed', message: `the connection closed without a result (${code})` }),
    );
  });
};

function concludeFrame(payload: string, output: string): ExecResult {
  const status = parseStatus(parseJson(payload));
  if (!status) return { kind: 'Unconfirmed', message: 'the server sent a status that cannot be read' };
  // A program's own message may follow complaints of its shell or its loader.
  const lines = output.split('\n').map((line) => printable(line));
  return concludeStatus(status, lines.filter((line) => line !== '').join('\n'));
}

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
  if ('kind' in target) return { kind: 'Undelivered', message: target.message };
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

function converse<Result>(
  target: SocketTarget,
  { server, timeout, redact }: SocketOpener,
  { resource }: Upgrade,
  abort: AbortSignal,
  talk: Talk<Result>,
): Promise<Ended<Result>> {
  let isSent = false;
  const socket = new WebSocket(target.url, [...subprotocols[resource]], {
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
    const fail = (error: unknown) => breakOff(redact(problemOfError(error, server).message));
    const awaited = resource === 'pods/exec' ? 'result' : 'answer';
    const timer = setTimeout(
      // A kubelet that has sent nothing for so long has most likely begun nothing.
      () => giveUp(`no ${awaited} within ${timeout / 1000}s (--request-timeout)`, !heard),
      timeout,
    );
    const leave = onAbort(abort, () => breakOff('the sweep was stopped'));

    socket.on('unexpected-response', (_request, response) => {
      const { statusCode = 0, headers } = response;
      readText(response, statusCode).then((body) => {
        // The kubelet may have answered (apimachinery's upgradeaware.go): how long to wait is about this pod.
        const refused = refuseHandshake(statusCode, redact(body), resource, headers['retry-after']);
        finish(refused, statusCode === 401);
      }, fail);
    });
    socket.on('error', fail);
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
