import { bearerOf } from './handlers/access/users.ts';
import type { ApiRequest } from './handlers/answer.ts';
import { readRequestInfo } from './handlers/resources.ts';

/** A request to the server, for tests to compare with their expectations and with the RBAC rules. */
export interface RequestRecord {
  readonly at: Date;
  /** Empty if it was not authenticated. */
  user: string;
  /** The bearer token, which tells clients apart before they are authenticated. */
  readonly token: string;
  /** Empty if the path is not a resource. */
  readonly verb: string;
  /** The verbs that were authorised: an upgrade to exec or port-forward needs `get` and `create`. */
  readonly verbs: readonly string[];
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  /** 101 for an upgrade; 0 until there is an answer. */
  status: number;
}

/** The record of a request before it is served. */
export function recordOf(request: ApiRequest, url: string, at: Date): RequestRecord {
  const info = readRequestInfo(request);
  const resource =
    info.kind === 'Resource'
      ? info
      : { verb: '', group: '', resource: '', subresource: '', namespace: '', name: '' };
  const upgraded = ['exec', 'portforward'].includes(resource.subresource) && resource.verb === 'get';
  return {
    at,
    user: '',
    token: bearerOf(request.headers) ?? '',
    verb: resource.verb,
    verbs: upgraded ? ['get', 'create'] : [resource.verb],
    group: resource.group,
    resource: resource.resource,
    subresource: resource.subresource,
    namespace: resource.namespace,
    name: resource.name,
    method: request.method,
    path: url,
    status: 0,
  };
}
