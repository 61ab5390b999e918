import { authorize, denial } from './access/authorization.ts';
import type { User } from './access/users.ts';
import { type Answer, type ApiRequest, encoded, indented, json } from './answer.ts';
import type { Backend } from './call.ts';
import { readEncoding } from './media-type.ts';
import { withJsonBody } from './protobuf.ts';
import { type RequestInfo, type ResourceInfo, readRequestInfo } from './request-info.ts';
import { findResource } from './resources.ts';
import { routeNonResource, routeResource } from './routes.ts';
import { forbidden, noSuchPath, StatusError } from './status.ts';
import { warningHeader } from './write/body.ts';

/** The outcome of one request, for the record that tests compare with the RBAC rules. */
export interface Served {
  readonly answer: Answer;
  readonly info: RequestInfo;
  readonly user: string;
}

/** Authenticates, authorises and answers a request. */
export function serveRequest(backend: Backend, request: ApiRequest): Served {
  const info = readRequestInfo(request);
  let username = '';
  try {
    const user = backend.tokens.authenticate(request.headers);
    username = user.username;
    checkAllowed(backend, user, info);
    return { answer: route(backend, request, user, info), info, user: username };
  } catch (error) {
    return { answer: refusal(error, request.headers['accept']), info, user: username };
  }
}

function checkAllowed({ store }: Backend, user: User, info: RequestInfo): void {
  if (authorize(store, user, info).allowed) return;
  throw info.kind === 'Resource' ? resourceForbidden(user, info) : pathForbidden(user, info.verb, info.path);
}

const filterHeaders = { 'x-content-type-options': 'nosniff' };

function resourceForbidden(user: User, info: ResourceInfo): StatusError {
  const error = forbidden(info, info.name, denial(user, info));
  const { reason = '', message = '', details = {} } = error.status;
  return new StatusError(403, reason, message, { details, headers: filterHeaders });
}

function pathForbidden({ username }: User, verb: string, path: string): StatusError {
  return new StatusError(403, 'Forbidden', `forbidden: User "${username}" cannot ${verb} path "${path}"`, {
    details: {},
    headers: filterHeaders,
  });
}

function route(backend: Backend, request: ApiRequest, user: User, info: RequestInfo): Answer {
  if (info.kind === 'NonResource') return routeNonResource(info.path);
  const resource = findResource(info.group, info.version, info.resource);
  if (!resource) throw noSuchPath();
  // A namespace is authorised as if it were inside itself, but is stored cluster-wide.
  const place = resource.namespaced ? info : { ...info, namespace: '' };
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const call = { backend, request: withJsonBody(request), info: place, resource, user, warn };
  return withWarnings(routeResource(call), warnings);
}

function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if ((answer.kind !== 'Body' && answer.kind !== 'Object') || warnings.length === 0) return answer;
  const { warning } = answer.headers;
  const all = [...(warning === undefined ? [] : [warning]), warningHeader(warnings)['warning']].join(', ');
  return { ...answer, headers: { ...answer.headers, warning: all } };
}

/** The Status of a refusal. */
function refusal(error: unknown, accept: string | undefined): Answer {
  if (error instanceof StatusError) {
    const { status, headers } = error;
    if (status.code === 406) return indented(406, status);
    return encoded(readEncoding(accept), status.code, status, headers);
  }
  return failure(error);
}

/** Any other error is a bug in the emulator, so its stack is shown. */
export function failure(error: unknown): Extract<Answer, { kind: 'Body' }> {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const status = new StatusError(500, 'InternalError', `the emulator failed: ${message}`).status;
  return json(500, status);
}
