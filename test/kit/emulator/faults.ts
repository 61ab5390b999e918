import { bearerOf } from './handlers/access.ts';
import type { ApiRequest, MoreItems } from './handlers/answer.ts';
import { noResource, readRequestInfo } from './handlers/resources.ts';

export type FaultAction =
  /** Runs the test's function first, for example to replace a pod just before an exec; then it is served. */
  | { readonly kind: 'Before'; readonly run: (request: RequestRecord) => void | Promise<void> }
  | { readonly kind: 'Delay'; readonly milliseconds: number }
  | { readonly kind: 'Drop' }
  | { readonly kind: 'NeverAnswer' }
  | {
      readonly kind: 'Answer';
      readonly status: number;
      /** A PodList is served in protobuf if the client asks for it. */
      readonly body?: string | object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Serves a list of pods in protobuf with more items. */
  | { readonly kind: 'Append'; readonly more: MoreItems }
  /** Serves it with other headers, for example a wrong `Date`. */
  | { readonly kind: 'Headers'; readonly headers: Readonly<Record<string, string>> }
  /** Replaces the exec or port-forward with a WebSocket that sends these frames. */
  | {
      readonly kind: 'Frames';
      /** Defaults to the first protocol that the client offers. */
      readonly protocol?: string;
      /** Raw messages. The first byte of a binary one is the channel. */
      readonly frames: readonly (string | Uint8Array)[];
      readonly end:
        | { readonly kind: 'Close'; readonly code?: number }
        | { readonly kind: 'Terminate' | 'StayOpen' };
    };

/** The requests a fault applies to. Omitted fields match everything. */
export interface RequestMatch {
  readonly verb?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly method?: string;
  readonly token?: string;
  readonly when?: (request: RequestRecord) => boolean;
}

interface Fault {
  readonly match: RequestMatch;
  readonly action: FaultAction;
  skip: number;
  times: number;
}

export class Faults {
  readonly #faults = new Set<Fault>();

  /** Adds a fault for the next `times` matching requests after the first `skip`. Returns its removal. */
  add(match: RequestMatch, action: FaultAction, options: { times?: number; skip?: number } = {}): () => void {
    const { times = Number.POSITIVE_INFINITY, skip = 0 } = options;
    const fault = { match, action, times, skip };
    this.#faults.add(fault);
    return () => this.#faults.delete(fault);
  }

  clear(): void {
    this.#faults.clear();
  }

  /** The actions for a request, in the order they were added. Each use counts. */
  take(request: RequestRecord): readonly FaultAction[] {
    const due: FaultAction[] = [];
    for (const fault of this.#faults) {
      if (!matches(fault.match, request)) continue;
      if (fault.skip > 0) {
        fault.skip--;
        continue;
      }
      due.push(fault.action);
      fault.times--;
      if (fault.times <= 0) this.#faults.delete(fault);
    }
    return due;
  }
}

function matches({ when, ...wanted }: RequestMatch, request: RequestRecord): boolean {
  const fields = Object.entries(wanted) as [keyof typeof wanted, string][];
  return fields.every(([field, value]) => request[field] === value) && (when?.(request) ?? true);
}

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

export function recordOf(request: ApiRequest, path: string, at: Date): RequestRecord {
  const info = readRequestInfo(request);
  const { verb, group, resource, subresource, namespace, name } =
    info.kind === 'Resource' ? info : noResource;
  const upgraded = ['exec', 'portforward'].includes(subresource) && verb === 'get';
  return {
    at,
    user: '',
    token: bearerOf(request.headers) ?? '',
    ...{ verb, group, resource, subresource, namespace, name },
    verbs: upgraded ? ['get', 'create'] : [verb],
    method: request.method,
    path,
    status: 0,
  };
}
