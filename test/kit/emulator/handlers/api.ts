import { withJsonBody } from '../protobuf/decode.ts';
import { authorize, denial } from './access/authorization.ts';
import { review, type User } from './access/users.ts';
import { admitted } from './admission/admit.ts';
import { type Answer, type ApiRequest, encoded, indented, json, readEncoding, text } from './answer.ts';
import type { Backend, Call } from './call.ts';
import {
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  openApiDocument,
  openApiRoot,
  version,
} from './discovery.ts';
import { exec } from './pods/exec.ts';
import { log } from './pods/log.ts';
import { portForward } from './pods/port-forward.ts';
import { bind, evict } from './pods/subresources.ts';
import { getObject, listObjects, watchObjects } from './read/read.ts';
import { findResource, type RequestInfo, type ResourceInfo, readRequestInfo, reviews } from './resources.ts';
import { forbidden, methodNotAllowed, noSuchPath, StatusError } from './status.ts';
import { parseJson, warningHeader } from './write/body.ts';
import { createObject } from './write/create.ts';
import { deleteObject } from './write/delete.ts';
import { patchObject } from './write/patch.ts';
import { replaceObject } from './write/update.ts';

/** The outcome of one request, for the record that tests compare with the RBAC rules. */
interface Served {
  readonly answer: Answer;
  readonly info: RequestInfo;
  readonly user: string;
}

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

type Handler = (call: Call) => Answer;

const onObjects: Readonly<Record<string, Handler>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: replaceObject,
  patch: patchObject,
  delete: deleteObject,
};

const onPart = { get: getObject, update: replaceObject, patch: patchObject };

const onSubresources: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  status: onPart,
  ephemeralcontainers: onPart,
  resize: onPart,
  binding: { create: bind },
  eviction: { create: evict },
  exec: { get: admitted(exec), create: admitted(exec) },
  log: { get: log },
  portforward: { get: admitted(portForward), create: admitted(portForward) },
};

const onBindings: Readonly<Record<string, Handler>> = { create: bind };

function routeResource(call: Call): Answer {
  const { resource, info, request, backend, user } = call;
  if (reviews.includes(resource)) {
    if (info.verb !== 'create') throw methodNotAllowed();
    const { spec = {} } = parseJson(request.body) as { spec?: object };
    return review(backend.store, user, spec);
  }
  const known = resource.subresources.some(({ name }) => name === info.subresource);
  if (info.subresource !== '' && !known) throw noSuchPath();
  const own = resource.resource === 'bindings' ? onBindings : onObjects;
  const handlers = info.subresource === '' ? own : onSubresources[info.subresource];
  const handler = handlers?.[info.verb];
  if (!handler) throw methodNotAllowed();
  return handler(call);
}

const health = ['/healthz', '/livez', '/readyz'];

function routeNonResource(path: string): Answer {
  const [root, group = '', groupVersion] = path.split('/').filter(Boolean);
  if (path === '/version') return indented(200, version);
  if (health.some((each) => path === each || path.startsWith(`${each}/`))) return text(200, 'ok');
  const found = root === 'openapi' ? openApi(path) : discover(root, group, groupVersion);
  if (!found) throw noSuchPath();
  return json(200, found);
}

function openApi(path: string): object | undefined {
  const document = /^\/openapi\/v3\/(.+)$/.exec(path)?.[1];
  if (document) return openApiDocument(document);
  return path === '/openapi/v3' ? openApiRoot() : undefined;
}

function discover(
  root: string | undefined,
  group: string,
  groupVersion: string | undefined,
): object | undefined {
  if (root === 'api') return group === '' ? apiVersions : apiResourceList('', group);
  if (root !== 'apis') return undefined;
  if (group === '') return apiGroupList();
  return groupVersion === undefined ? apiGroup(group) : apiResourceList(group, groupVersion);
}
