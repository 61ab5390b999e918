import type { Configuration } from '@kubernetes/client-node/dist/gen/configuration.js';
import { type RequestContext, ResponseContext } from '@kubernetes/client-node/dist/gen/http/http.js';
import { from } from '@kubernetes/client-node/dist/gen/rxjsStub.js';
import { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';
import { parseJson, record } from '../../util/json.ts';
import type { Answer } from './answer.ts';
import type { Transport, Write } from './transport.ts';

/** The bundle leaves out the classes that are not named here. */
export {
  ObjectAuthorizationV1Api as AuthorizationV1Api,
  ObjectCoordinationV1Api as CoordinationV1Api,
  ObjectEventsV1Api as EventsV1Api,
} from '@kubernetes/client-node/dist/gen/types/ObjectParamAPI.js';

const server = new ServerConfiguration('https://api', {});

interface Sender extends Pick<Transport, 'redact'> {
  readonly send: (request: Write) => Promise<Answer>;
}

export interface TypedAnswer<T> {
  readonly answer: Answer;
  readonly object: T | undefined;
}

/** Calls client-node's typed API, which takes any answer for an object of its kind, so the kind is checked first. */
export async function typedCall<Api, T>(
  Api: new (configuration: Configuration) => Api,
  kind: string,
  { send, redact }: Sender,
  call: (api: Api) => Promise<T>,
): Promise<TypedAnswer<T>> {
  let answer: Answer = unsent;
  const answered = async (request: RequestContext) => {
    const { pathname, search } = new URL(request.getUrl());
    const method = request.getHttpMethod() as Write['method'];
    answer = await send({ method, path: `${pathname}${search}`, body: parseJson(String(request.getBody())) });
    if (answer.kind === 'Unanswered' || answer.status >= 300) throw new Error('no object to read');
    const { status, body: text } = answer;
    if (record(parseJson(text))['kind'] !== kind) throw new Error(`not a ${kind}`);
    const body = { text: async () => text, binary: async () => Buffer.from(text), stream: () => null };
    return new ResponseContext(status, { 'content-type': 'application/json' }, body);
  };
  const httpApi = { send: (request: RequestContext) => from(answered(request)) };
  const api = new Api({ baseServer: server, httpApi, middleware: [], authMethods: {} });
  const object = await call(api).catch((error: unknown) => {
    // Of what does not have the shape of its kind, nothing is read.
    if (answer === unsent) throw error;
    return undefined;
  });
  if (object || answer.kind === 'Unanswered') return { answer, object };
  // A proxy may answer with HTTP 200 and the body that it was sent.
  return { answer: { ...answer, body: redact(answer.body) }, object };
}

const unsent: Answer = {
  kind: 'Unanswered',
  problem: { kind: 'Malformed', message: 'nothing was sent' },
  isUnsent: true,
};
