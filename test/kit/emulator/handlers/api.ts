import { authorize, denial, review, type User } from './access.ts';
import { admitted } from './admission/policies.ts';
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
import { accessReviews, findResource, type RequestInfo, readRequestInfo } from './resources.ts';
import { forbidden, methodNotAllowed, noSuchPath, StatusError } from './status.ts';
import { parseJson, warningHeader } from './write/body.ts';
import { createObject } from './write/create.ts';
import { deleteObject } from './write/delete.ts';
import { patchObject } from './write/patch.ts';
import { replaceObject } from './write/update.ts';

/** Answers a request. The username is for the record that tests compare with the RBAC rules. */
export function serveRequest(backend: Backend, request: ApiRequest): { answer: Answer; user: string } {
  let username = '';
  try {
    const user = backend.tokens.authenticate(request.headers);
    username = user.username;
    const info = readRequestInfo(request);
    if (!authorize(backend.store, user, info).allowed) throw notAllowed(user, info);
    return { answer: route(backend, request, user, info), user: username };
  } catch (error) {
    return { answer: refusal(error, request.headers['accept']), user: username };
  }
}

function notAllowed(user: User, info: RequestInfo): StatusError {
  const headers = { 'x-content-type-options': 'nosniff' };
  if (info.kind === 'Resource') return forbidden(info, info.name, denial(user, info), headers);
  const message = `forbidden: User "${user.username}" cannot ${info.verb} path "${info.path}"`;
  return new StatusError(403, 'Forbidden', message, { details: {}, headers });
}

function route(backend: Backend, request: ApiRequest, user: User, info: RequestInfo): Answer {
  if (info.kind === 'NonResource') return routeNonResource(info.path);
  const resource = findResource(info.group, info.version, info.resource);
  if (!resource) throw noSuchPath();
  // A namespace is authorised as if it were inside itself, but is stored cluster-wide.
  const place = resource.namespaced ? info : { ...info, namespace: '' };
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  const call = { backend, request, info: place, resource, user, warn };
  return withWarnings(routeResource(call), warnings);
}

function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  if (answer.kind !== 'Body' || warnings.length === 0) return answer;
  const all = [answer.headers['warning'], warningHeader(warnings)['warning']].filter(Boolean);
  return { ...answer, headers: { ...answer.headers, warning: all.join(', ') } };
}

function refusal(error: unknown, accept: string | undefined): Answer {
  if (error instanceof StatusError) {
    const { status, headers } = error;
    if (status.code === 406) return indented(406, status);
    return encoded(readEncoding(accept), status.code, status, headers);
  }
  // Any other error is a bug in the emulator, so its stack is shown.
  const message = error instanceof Error ? error.stack : String(error);
  return json(500, new StatusError(500, 'InternalError', `the emulator failed: ${message}`).status);
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
  if (resource === accessReviews) {
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

function routeNonResource(path: string): Answer {
  if (path === '/version') return indented(200, version);
  if (/^\/(?:healthz|livez|readyz)(?:\/|$)/.test(path)) return text(200, 'ok');
  const [root, group = '', groupVersion] = path.split('/').filter(Boolean);
  const found = root === 'openapi' ? openApi(path) : discover(root, group, groupVersion);
  if (!found) throw noSuchPath();
  return json(200, found);
}

function openApi(path: string): object | undefined {
  const [, document] = /^\/openapi\/v3\/(.+)$/.exec(path) ?? [];
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
