import type { Configuration } from '@kubernetes/client-node/dist/gen/configuration.js';
import { type RequestContext, ResponseContext } from '@kubernetes/client-node/dist/gen/http/http.js';
import { from } from '@kubernetes/client-node/dist/gen/rxjsStub.js';
import { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';
import { isRecord, parseJson } from '../json.ts';
import type { Answer } from './answer.ts';
import type { Transport, Write } from './transport.ts';

/** The bundle leaves out the classes that are not named here. */
export {
  ObjectAuthorizationV1Api as AuthorizationV1Api,
  ObjectCoordinationV1Api as CoordinationV1Api,
  ObjectEventsV1Api as EventsV1Api,
} from '@kubernetes/client-node/dist/gen/types/ObjectParamAPI.js';

/** The transport knows the real one. */
const server = new ServerConfiguration('https://api', {});

/** How a request is sent, with its own retries, limits and credentials. */
interface Sender extends Pick<Transport, 'redact'> {
  readonly send: (request: Write) => Promise<Answer>;
}

/** What came of a typed call. */
export interface TypedAnswer<T> {
  readonly answer: Answer;
  /** Undefined if the answer has none. */
  readonly object: T | undefined;
}

/**
 * Makes one call of client-node's typed API over our transport. Only an answer that is an object of this kind is read by
 * client-node, which takes anything else for one.
 */
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
    const body = parseJson(String(request.getBody()));
    answer = await send({ method, path: `${pathname}${search}`, body });
    if (!hasObject(answer, kind)) throw new Error('no object to read');
    const { status, body: text } = answer;
    return new ResponseContext(status, { 'content-type': 'application/json' }, bodyOf(text));
  };
  const httpApi = { send: (request: RequestContext) => from(answered(request)) };
  const api = new Api({ baseServer: server, httpApi, middleware: [], authMethods: {} });
  const object = await call(api).catch((error: unknown) => {
    // Of what does not have the shape of its kind, nothing is read.
    if (answer === unsent) throw error;
    return undefined;
  });
  return { answer: object ? answer : redacted(answer, redact), object };
}

const unsent: Answer = {
  kind: 'Unanswered',
  problem: { kind: 'Malformed', message: 'nothing was sent' },
  isUnsent: true,
};

/** A proxy may answer with HTTP 200 and what it was sent. */
function redacted(answer: Answer, redact: Transport['redact']): Answer {
  return answer.kind === 'Unanswered' ? answer : { ...answer, body: redact(answer.body) };
}

type WithBody = Extract<Answer, { readonly kind: 'Answered' }>;

function hasObject(answer: Answer, kind: string): answer is WithBody {
  if (answer.kind === 'Unanswered' || answer.status >= 300) return false;
  const body = parseJson(answer.body);
  return isRecord(body) && body['kind'] === kind;
}

function bodyOf(text: string) {
  return { text: async () => text, binary: async () => Buffer.from(text), stream: () => null };
}
