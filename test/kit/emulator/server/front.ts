import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type FaultAction, Faults, type RequestRecord, recordOf } from '../faults.ts';
import { type ApiRequest, encoded, json, readEncoding } from '../handlers/answer.ts';
import { serveRequest } from '../handlers/api.ts';
import type { Backend } from '../handlers/call.ts';
import { Upgrades } from './upgrades.ts';
import { type EncodedAnswer, encode, writeAnswer } from './write-answer.ts';

interface Serving {
  readonly request: ApiRequest;
  readonly record: RequestRecord;
  readonly actions: readonly FaultAction[];
}

/** Sits between sockets and handlers: records requests, applies faults and writes answers. */
export class Front {
  readonly requests: RequestRecord[] = [];
  readonly faults = new Faults();
  readonly #upgrades = new Upgrades();

  constructor(private readonly backend: Backend) {}

  async serveHttp(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message).catch(() => undefined);
    if (!request) {
      response.writeHead(413).end();
      return;
    }
    const serving = await this.#begin(message, request);
    const answer = this.#decide(serving);
    if (answer === 'Drop') response.destroy();
    else if (answer !== 'NeverAnswer') this.#respond(response, answer, serving);
  }

  async serveUpgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // A client may disconnect at any time; that is not a server error.
    socket.on('error', () => {});
    const serving = await this.#begin(message, describeRequest(message));
    const script = serving.actions.find((action) => action.kind === 'Frames');
    if (script) {
      serving.record.status = 101;
      this.#upgrades.acceptScripted({ message, socket, head }, script);
      return;
    }
    const answer = this.#decide(serving);
    if (answer === 'Drop') socket.destroy();
    else if (answer === 'NeverAnswer') return;
    else if (answer.kind === 'Channels') {
      serving.record.status = 101;
      this.#upgrades.accept({ message, socket, head }, answer);
    } else this.#respond(responseOn(message, socket), answer, serving);
  }

  async #begin(message: IncomingMessage, request: ApiRequest): Promise<Serving> {
    const record = recordOf(request, message.url ?? '/', this.backend.clock.now());
    this.requests.push(record);
    const actions = this.faults.take(record);
    for (const action of actions) {
      if (action.kind === 'Before') await action.run(record);
      if (action.kind === 'Delay') await this.#delay(action.milliseconds);
    }
    return { request, record, actions };
  }

  #delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.backend.clock.after(milliseconds, resolve));
  }

  #decide({ request, record, actions }: Serving): EncodedAnswer | 'Drop' | 'NeverAnswer' {
    for (const action of actions) {
      if (action.kind === 'Drop' || action.kind === 'NeverAnswer') return action.kind;
      if (action.kind === 'Answer') return scriptedAnswer(action, request);
    }
    const { user, answer } = serveRequest(this.backend, request);
    record.user = user;
    return answer.kind === 'Object' ? encode(answer) : answer;
  }

  #respond(response: ServerResponse, answer: EncodedAnswer, { request, record, actions }: Serving): void {
    // Handlers answer with an upgraded connection only if the client asked for one.
    if (answer.kind === 'Channels') return;
    record.status = answer.kind === 'Body' ? answer.status : 200;
    const headers = actions.map((action) => (action.kind === 'Headers' ? action.headers : {}));
    writeAnswer(response, answer, {
      date: this.backend.clock.now(),
      headers: Object.assign({}, ...headers),
      acceptsGzip: /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
    });
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
): EncodedAnswer {
  if (typeof body === 'string') return { kind: 'Body', status, headers, body };
  const isOfPods = 'kind' in body && body.kind === 'PodList';
  if (!isOfPods || readEncoding(request.headers['accept']) === 'Json') return json(status, body, headers);
  return encode(encoded('Protobuf', status, withoutTypes(body), headers));
}

/** The items of a list have no kind and apiVersion. */
function withoutTypes(list: object): object {
  const { items } = list as { readonly items: readonly Record<string, unknown>[] };
  return { ...list, items: items.map(({ kind, apiVersion, ...item }) => item) };
}

const maxBodyBytes = 3 * 1024 * 1024;

async function readRequest(message: IncomingMessage): Promise<ApiRequest | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += (chunk as Buffer).length;
    if (size <= maxBodyBytes) chunks.push(chunk as Buffer);
  }
  return size > maxBodyBytes ? undefined : describeRequest(message, Buffer.concat(chunks));
}

function describeRequest(message: IncomingMessage, body: Buffer = Buffer.alloc(0)): ApiRequest {
  const url = new URL(message.url ?? '/', 'https://kubernetes.default.svc');
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers,
    body,
    upgrade: readUpgrade(headers),
  };
}

function readUpgrade(headers: ApiRequest['headers']): ApiRequest['upgrade'] {
  if (headers['upgrade']?.toLowerCase() !== 'websocket') return undefined;
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',');
  return protocols.map((each) => each.trim()).filter(Boolean);
}
