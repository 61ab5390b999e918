import type { ApiRequest } from './answer.ts';

/** What a request is about, like Kubernetes' RequestInfo. Authorisation and routing use it. */
export type RequestInfo =
  | { readonly kind: 'NonResource'; readonly verb: string; readonly path: string }
  | ResourceInfo;

export interface ResourceInfo {
  readonly kind: 'Resource';
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Reads the verb, group, resource, namespace and name from a request's path and query. */
export function readRequestInfo(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): RequestInfo {
  const parts = request.path.split('/').filter(Boolean).map(decodeSegment);
  const [root, ...rest] = parts;
  const [group, version, ...resourceParts] = root === 'api' ? ['', ...rest] : rest;
  const isResource = (root === 'api' || root === 'apis') && resourceParts.length > 0;
  if (!isResource || group === undefined || version === undefined) {
    return { kind: 'NonResource', verb: request.method.toLowerCase(), path: request.path };
  }
  const { namespace, resource, name, subresource } = readResourceParts(resourceParts);
  return {
    kind: 'Resource',
    verb: verbOf(request, name),
    group,
    version,
    resource,
    subresource,
    namespace,
    name: name || nameOfFieldSelector(request),
  };
}

function readResourceParts(parts: readonly string[]) {
  const [first = '', second = '', third] = parts;
  // /namespaces/demo, its `status` and its `finalize` are the namespace itself; other paths are inside it.
  const inNamespace =
    first === 'namespaces' && third !== undefined && !['status', 'finalize'].includes(third);
  const [resource = '', name = '', subresource = ''] = inNamespace ? parts.slice(2) : parts;
  const namespace = first === 'namespaces' ? second : '';
  return { namespace, resource, name, subresource };
}

function verbOf(request: Pick<ApiRequest, 'method' | 'query'>, name: string): string {
  const verb = verbs[request.method] ?? '';
  if (name !== '') return verb;
  if (verb === 'get') return isTrue(request.query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** A list or watch of a single name is authorised for that name, so that RBAC's resourceNames apply. */
function nameOfFieldSelector(request: Pick<ApiRequest, 'method' | 'query'>): string {
  if (request.method !== 'GET') return '';
  return /^metadata\.name==?([^,=!]+)$/.exec(request.query.get('fieldSelector') ?? '')?.[1] ?? '';
}

/** Reads a boolean query parameter as Go does. */
export function isTrue(value: string | null): boolean {
  return value !== null && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
