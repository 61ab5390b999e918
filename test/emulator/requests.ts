import type { ApiRequest } from './handlers/answer.ts';
import { readRequestInfo } from './handlers/request-info.ts';

/** A request the server was sent, for tests to compare with what was expected and with the RBAC rules. */
export interface RequestRecord {
  readonly at: Date;
  /** Empty when it was not authenticated. */
  user: string;
  /** Empty for a path that is no resource. */
  readonly verb: string;
  /** Every verb it had to be authorised for: an upgrade to exec or port-forward is `get` and `create`. */
  readonly verbs: readonly string[];
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** 101 for an upgrade; 0 while there is no answer, and when there never was one. */
  status: number;
}

/** What is known of a request before it is served. */
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
