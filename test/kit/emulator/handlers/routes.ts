import { review, whoAmI } from './access/reviews.ts';
import { admitted } from './admission/connect.ts';
import { type Answer, indented, json, text } from './answer.ts';
import type { Call } from './call.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions, version } from './discovery.ts';
import { openApiDocument, openApiRoot } from './openapi.ts';
import { bind } from './pods/binding.ts';
import { evict } from './pods/eviction.ts';
import { exec } from './pods/exec.ts';
import { log } from './pods/log.ts';
import { portForward } from './pods/port-forward.ts';
import { getObject, listObjects, watchObjects } from './read/read.ts';
import { reviews } from './resources.ts';
import { createToken } from './service-account-token.ts';
import { methodNotAllowed, noSuchPath } from './status.ts';
import { parseJson } from './write/body.ts';
import { createObject } from './write/create.ts';
import { deleteCollection, deleteObject } from './write/delete.ts';
import { patchObject } from './write/patch.ts';
import { replaceObject } from './write/update.ts';

type Handler = (call: Call) => Answer;

const onObjects: Readonly<Record<string, Handler>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: replaceObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
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
  token: { create: createToken },
};

const onBindings: Readonly<Record<string, Handler>> = { create: bind };

/** Routes a request about a resource to its handler. */
export function routeResource(call: Call): Answer {
  const { resource, info, request, backend, user } = call;
  if (reviews.includes(resource)) {
    if (info.verb !== 'create') throw methodNotAllowed();
    if (resource.kind === 'SelfSubjectReview') return whoAmI(user);
    const { spec = {} } = parseJson(request.body) as { spec?: object };
    return review(backend.store, user, resource.kind, spec);
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

/** Answers paths that are not resources: discovery, the version, health. */
export function routeNonResource(path: string): Answer {
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
