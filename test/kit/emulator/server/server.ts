import { type IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createPair } from '../../certificates.ts';
import { type FaultAction, Faults, type RequestRecord, recordOf } from '../faults.ts';
import { type Answer, type ApiRequest, encoded, json, readEncoding } from '../handlers/answer.ts';
import { serveRequest } from '../handlers/api.ts';
import type { Backend } from '../handlers/call.ts';
import { apiServiceIP } from '../world/runtime/runtime.ts';
import { playFrames, serveChannels } from './web-sockets.ts';
import { writeAnswer } from './write-answer.ts';

interface ApiServer {
  readonly url: string;
  readonly ca: string;
  readonly requests: readonly RequestRecord[];
  readonly faults: Faults;
  stop(): Promise<void>;
}

export async function startServer(backend: Backend): Promise<ApiServer> {
  const { key, cert } = await createPair('kube-apiserver', {
    names: ['localhost', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1', apiServiceIP],
  });
  const front = new Front(backend);
  const sockets = new Set<Duplex>();
  // Go accepts headers of 1 MiB, and the path of an exec contains its command.
  const server = createServer({ key, cert, maxHeaderSize: 1024 * 1024 });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (message, response) => void front.serveHttp(message, response));
  server.on('upgrade', (message, socket, head) => void front.serveUpgrade(message, socket, head));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: cert,
    requests: front.requests,
    faults: front.faults,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Serving {
  readonly request: ApiRequest;
  readonly record: RequestRecord;
  readonly actions: readonly FaultAction[];
}

/** Sits between sockets and handlers: records requests, applies faults and writes answers. */
class Front {
  readonly requests: RequestRecord[] = [];
  readonly faults = new Faults();

  constructor(private readonly backend: Backend) {}

  async serveHttp(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(message).catch(() => undefined);
    if (!body) {
      response.writeHead(413).end();
      return;
    }
    const serving = await this.#begin(message, body);
    const answer = this.#decide(serving);
    if (answer === 'Drop') response.destroy();
    else if (answer !== 'NeverAnswer') this.#respond(response, answer, serving);
  }

  async serveUpgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // A client may disconnect at any time; that is not a server error.
    socket.on('error', () => {});
    const serving = await this.#begin(message, Buffer.alloc(0));
    const script = serving.actions.find((action) => action.kind === 'Frames');
    if (script) {
      serving.record.status = 101;
      playFrames({ message, socket, head }, script);
      return;
    }
    const answer = this.#decide(serving);
    if (answer === 'Drop') socket.destroy();
    else if (answer === 'NeverAnswer') return;
    else if (answer.kind === 'Channels') {
      serving.record.status = 101;
      serveChannels({ message, socket, head }, answer);
    } else this.#respond(responseOn(message, socket), answer, serving);
  }

  async #begin(message: IncomingMessage, body: Buffer): Promise<Serving> {
    const { clock } = this.backend;
    const request = describeRequest(message, body);
    const record = recordOf(request, message.url ?? '/', clock.now());
    this.requests.push(record);
    const actions = this.faults.take(record);
    for (const action of actions) {
      if (action.kind === 'Before') await action.run(record);
      if (action.kind === 'Delay') {
        await new Promise<void>((resolve) => void clock.after(action.milliseconds, resolve));
      }
    }
    return { request, record, actions };
  }

  #decide({ request, record, actions }: Serving): Answer | 'Drop' | 'NeverAnswer' {
    for (const action of actions) {
      if (action.kind === 'Drop' || action.kind === 'NeverAnswer') return action.kind;
      if (action.kind === 'Answer') return scriptedAnswer(action, request);
    }
    const { user, answer } = serveRequest(this.backend, request);
    record.user = user;
    const appended = actions.find((action) => action.kind === 'Append');
    return appended && answer.kind === 'Body' ? { ...answer, more: appended.more } : answer;
  }

  #respond(response: ServerResponse, answer: Answer, { request, record, actions }: Serving): void {
    // Handlers answer with an upgraded connection only if the client asked for one.
    if (answer.kind === 'Channels') return;
    record.status = answer.kind === 'Body' ? answer.status : 200;
    const scripted = actions.map((action) => (action.kind === 'Headers' ? action.headers : {}));
    const headers = Object.assign({ date: this.backend.clock.now().toUTCString() }, ...scripted);
    writeAnswer(response, answer, headers, /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''));
  }
}

/** A response for a refused upgrade: Node creates none for upgrade requests. */
function responseOn(message: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(message);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  response.once('finish', () => socket.end());
  return response;
}

function scriptedAnswer(
  { status, body = '', headers = {} }: Extract<FaultAction, { kind: 'Answer' }>,
  request: ApiRequest,
): Answer {
  if (typeof body === 'string') return { kind: 'Body', status, headers, body };
  const isOfPods = 'kind' in body && body.kind === 'PodList';
  if (!isOfPods || readEncoding(request.headers['accept']) === 'Json') return json(status, body, headers);
  // The items of a list have no kind and apiVersion.
  const { items } = body as unknown as { readonly items: readonly Record<string, unknown>[] };
  const bare = items.map(({ kind, apiVersion, ...item }) => item);
  return encoded('Protobuf', status, { ...body, items: bare }, headers);
}

const maxBodyBytes = 3 * 1024 * 1024;

/** Undefined if it is too large. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += (chunk as Buffer).length;
    if (size <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

function describeRequest(message: IncomingMessage, body: Buffer): ApiRequest {
  const url = new URL(message.url ?? '/', 'https://kubernetes.default.svc');
  const entries = Object.entries(message.headers);
  const headers: ApiRequest['headers'] = Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  const isUpgrade = headers['upgrade']?.toLowerCase() === 'websocket';
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
    upgrade: isUpgrade ? protocols.filter(Boolean) : undefined,
  };
}
