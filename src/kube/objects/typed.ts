import { createHash } from 'node:crypto';
import type { Configuration } from '@kubernetes/client-node/dist/gen/configuration.js';
import { type RequestContext, ResponseContext } from '@kubernetes/client-node/dist/gen/http/http.js';
import { from } from '@kubernetes/client-node/dist/gen/rxjsStub.js';
import { ServerConfiguration } from '@kubernetes/client-node/dist/gen/servers.js';
import {
  ObjectAuthorizationV1Api as AuthorizationV1Api,
  ObjectEventsV1Api as EventsV1Api,
} from '@kubernetes/client-node/dist/gen/types/ObjectParamAPI.js';
import { V1MicroTime } from '@kubernetes/client-node/dist/types.js';
import type { Cluster, Events } from '../../model/ports.ts';
import { parseJson, record } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import { type Answer, refusal, statusIn, unexpected } from '../client/answer.ts';
import type { Over, Transport, Write, Writer } from '../client/transport.ts';

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

/** Every account may ask about its own permissions. */
export const mayI: Over<Pick<Transport, 'ask' | 'redact'>, Cluster['mayI']> = async (
  transport,
  permission,
  abort,
) => {
  const kind = 'SelfSubjectAccessReview';
  const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec: { resourceAttributes: permission } };
  const { answer, object } = await typedCall(
    AuthorizationV1Api,
    kind,
    { redact: transport.redact, send: ({ path, body }) => transport.ask(path, body, abort) },
    (api) => api.createSelfSubjectAccessReview({ body }),
  );
  if (answer.kind === 'Unanswered' || answer.status >= 300) {
    return { kind: 'Unreadable', problem: refusal(answer) };
  }
  const allowed: unknown = object?.status?.allowed;
  if (answer.status !== 201 || typeof allowed !== 'boolean') {
    return { kind: 'Unreadable', problem: unexpected(`a ${kind}`, answer.body) };
  }
  const error: unknown = object?.status?.evaluationError;
  // A webhook that authorizes did not answer, so that nothing was denied.
  if (!allowed && typeof error === 'string' && error !== '') {
    return { kind: 'Unreadable', problem: { kind: 'Rejected', message: printable(transport.redact(error)) } };
  }
  return { kind: allowed ? 'Allowed' : 'Denied' };
};

/** An equal warning is not written again while it exists (an hour, by default): a blocked pod would get one in every run. */
export const createEvent: Over<Writer, Events['createEvent']> = async (
  transport,
  { regarding, reason, type, note, reporter, at },
  abort,
) => {
  const { kind, namespace, name, uid } = regarding;
  const says = createHash('sha256')
    .update(JSON.stringify([uid, reason, note, type === 'Warning' ? undefined : at]))
    .digest('hex');
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace, name: `sidecar-sweeper-${says.slice(0, 32)}` },
    regarding: { apiVersion: apiVersions[kind], kind, namespace, name, uid },
    reason,
    type,
    note,
    action: 'EndSidecars',
    eventTime: new V1MicroTime(at),
    reportingController: 'sidecar-sweeper.dev/sweeper',
    reportingInstance: reporter,
  };
  const { answer } = await typedCall(
    EventsV1Api,
    'Event',
    { redact: transport.redact, send: (request) => transport.send(request, abort) },
    (api) => api.createNamespacedEvent({ namespace, body }),
  );
  if (answer.kind === 'Answered' && (answer.status < 300 || isThere(answer.body))) return undefined;
  return refusal(answer);
};

/** A quota that changes at the same moment is a 409 as well. */
const isThere = (body: string) => statusIn(body)?.reason === 'AlreadyExists';

const apiVersions = { Pod: 'v1', Job: 'batch/v1' } as const;
