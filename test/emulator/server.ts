import { type IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type FaultAction, Faults } from './faults.ts';
import { type Answer, type ApiRequest, json } from './handlers/answer.ts';
import { serveRequest } from './handlers/api.ts';
import type { Backend } from './handlers/call.ts';
import { type RequestRecord, recordOf } from './requests.ts';
import { createCertificate } from './server/certificate.ts';
import { describeRequest, readRequest } from './server/read-request.ts';
import { Upgrades } from './server/upgrades.ts';
import { writeAnswer } from './server/write-answer.ts';

/** The API server behind TLS on a port of the loopback. */
export interface ApiServer {
  readonly url: string;
  /** PEM */
  readonly ca: string;
  readonly requests: readonly RequestRecord[];
  readonly faults: Faults;
  stop(): Promise<void>;
}

export async function startServer(backend: Backend, port = 0): Promise<ApiServer> {
  const certificate = await createCertificate();
  const requests: RequestRecord[] = [];
  const faults = new Faults();
  const upgrades = new Upgrades();
  const sockets = new Set<Duplex>();

  // Go takes headers of a megabyte, and a long command makes a long path.
  const server = createServer({ ...certificate, maxHeaderSize: 1024 * 1024 });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (message, response) => void serveHttp(message, response));
  server.on('upgrade', (message, socket, head) => void serveUpgrade(message, socket, head));

  const begin = async (message: IncomingMessage, request: ApiRequest) => {
    const record = recordOf(request, message.url ?? '/', backend.clock.now());
    requests.push(record);
    const actions = faults.take(record);
    for (const action of actions) await prepare(action, record, backend);
    return { record, actions };
  };

  async function serveHttp(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message).catch(() => undefined);
    if (!request) return void response.writeHead(413).end();
    const { record, actions } = await begin(message, request);
    const answer = decide(request, record, actions);
    if (answer === 'Drop') response.destroy();
    else if (answer !== 'NeverAnswer') respond(response, answer, record, request, actions);
  }

  async function serveUpgrade(message: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {});
    const request = describeRequest(message);
    const { record, actions } = await begin(message, request);
    const script = actions.find((action) => action.kind === 'Frames');
    if (script) {
      record.status = 101;
      return upgrades.acceptScripted({ message, socket, head }, script);
    }
    const answer = decide(request, record, actions);
    if (answer === 'Drop') socket.destroy();
    else if (answer === 'NeverAnswer') return;
    else if (answer.kind === 'Channels' || answer.kind === 'Bytes') {
      record.status = 101;
      upgrades.accept({ message, socket, head }, answer);
    } else {
      const response = new ServerResponse(message);
      response.shouldKeepAlive = false;
      response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
      response.once('finish', () => socket.end());
      respond(response, answer, record, request, actions);
    }
  }

  function decide(
    request: ApiRequest,
    record: RequestRecord,
    actions: readonly FaultAction[],
  ): Answer | 'Drop' | 'NeverAnswer' {
    for (const action of actions) {
      if (action.kind === 'Drop' || action.kind === 'NeverAnswer') return action.kind;
      if (action.kind === 'Answer') return scriptedAnswer(action);
    }
    const served = serveRequest(backend, request);
    record.user = served.user;
    return served.answer;
  }

  function respond(
    response: ServerResponse,
    answer: Answer,
    record: RequestRecord,
    request: ApiRequest,
    actions: readonly FaultAction[],
  ): void {
    // Handlers answer with a connection only where one was asked for.
    if (answer.kind === 'Channels' || answer.kind === 'Bytes') return;
    record.status = answer.kind === 'Body' ? answer.status : 200;
    writeAnswer(response, answer, {
      date: backend.clock.now(),
      headers: Object.assign(
        {},
        ...actions.map((action) => (action.kind === 'Headers' ? action.headers : {})),
      ),
      cutAfter: actions.find((action) => action.kind === 'CutBody')?.bytes,
      acceptsGzip: /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${bound}`,
    ca: certificate.cert,
    requests,
    faults,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function prepare(action: FaultAction, record: RequestRecord, { clock }: Backend): Promise<void> {
  if (action.kind === 'Before') await action.run(record);
  if (action.kind === 'Delay') {
    await new Promise<void>((resolve) => void clock.after(action.milliseconds, resolve));
  }
}

function scriptedAnswer({
  status,
  body = '',
  headers = {},
}: Extract<FaultAction, { kind: 'Answer' }>): Answer {
  return typeof body === 'string' ? { kind: 'Body', status, headers, body } : json(status, body, headers);
}
