import { bounds } from '../../model/bounds.ts';
import type { PodName } from '../../model/pod.ts';
import type { ListReading, ObjectPage, PageToken, Problem, Unreadable } from '../../model/reading.ts';
import { matchesLabels } from '../../model/scope.ts';
import { isRecord, type Json, parseJson, record, strings } from '../../util/json.ts';
import { refusal, unexpected } from '../client/answer.ts';
import type { Reader } from '../client/transport.ts';

const part = encodeURIComponent;

export const namespacesPath = '/api/v1/namespaces';
export const nodesPath = '/api/v1/nodes';

export const namespacePath = (name: string) => `${namespacesPath}/${part(name)}`;
export const nodePath = (name: string) => `${nodesPath}/${part(name)}`;

export function podsPath(namespace: string | undefined): string {
  return namespace === undefined ? '/api/v1/pods' : `${namespacePath(namespace)}/pods`;
}

export function podPath({ namespace, name }: PodName, subresource?: string): string {
  const pod = `${podsPath(namespace)}/${part(name)}`;
  return subresource === undefined ? pod : `${pod}/${subresource}`;
}

const batchPath = (namespace: string) => `/apis/batch/v1/namespaces/${part(namespace)}`;

export const jobsPath = (namespace: string) => `${batchPath(namespace)}/jobs`;
export const jobPath = (namespace: string, name: string) => `${jobsPath(namespace)}/${part(name)}`;
export const cronJobPath = (namespace: string, name: string) =>
  `${batchPath(namespace)}/cronjobs/${part(name)}`;

type ObjectReading =
  | { readonly kind: 'Present'; readonly body: Json }
  | { readonly kind: 'Gone' }
  | Unreadable;

/** A proxy or a cache may answer with another object, which would speak for the wrong one. */
export async function readNamed(
  transport: Reader,
  { path, kind, name }: { readonly path: string; readonly kind: string; readonly name: string },
  abort: AbortSignal,
): Promise<ObjectReading> {
  const answer = await transport.get(path, {}, abort);
  if (answer.kind === 'Unanswered' || answer.status !== 200) {
    const problem = refusal(answer, name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const body = record(parseJson(answer.body));
  const { name: given = name } = record(body['metadata']);
  if (body['kind'] === kind && given === name) return { kind: 'Present', body };
  const message = body['kind'] === kind ? `another ${kind}` : `not a ${kind}`;
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}

export interface Listed<T> {
  readonly path: string;
  readonly kind: string;
  /** So few that a page of large ones is no larger than one object may be. */
  readonly pageSize: number;
  readonly labelSelector?: string | undefined;
  /** The items of a list have no kind. */
  readonly narrow: (item: Json) => T;
}

export async function listObjects<T>(
  transport: Reader,
  { path, kind, pageSize, labelSelector, narrow }: Listed<T>,
  token: PageToken,
  abort: AbortSignal,
): Promise<ObjectPage<T>> {
  const query = {
    limit: String(pageSize),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(token !== undefined && { continue: token }),
  };
  const answer = await transport.get(path, query, abort);
  if (answer.kind !== 'Answered' || answer.status !== 200) {
    return { kind: 'Unreadable', problem: refusal(answer) };
  }
  const { kind: given, items, metadata } = record(parseJson(answer.body));
  const end = continueToken(metadata);
  // The page fails, because the bad item may be the one that is looked for.
  if (given !== kind || !end || !Array.isArray(items) || !items.every(isRecord)) {
    return { kind: 'Unreadable', problem: unexpected(`a ${kind}`, transport.redact(answer.body)) };
  }
  if (labelSelector !== undefined && !items.every((item) => isLike(item, labelSelector))) {
    const message = `the server answered with items that do not match ${labelSelector}`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  return { kind: 'Page', items: items.map(narrow), token: end.token };
}

/** A proxy may have lost the selector on its way. */
function isLike({ metadata }: Json, labelSelector: string): boolean {
  return matchesLabels(labelSelector, strings(record(metadata)['labels']));
}

/** Ends a list that a server would continue for ever. */
export class ListLimit {
  readonly #tokens = new Set<string>();
  #pages = 0;
  #items = 0;

  /** False if there are more items than any list has. */
  allowsItems(count: number): boolean {
    this.#items += count;
    return this.#items <= bounds.items;
  }

  /** False if the list would never end. */
  allowsPageAfter(token: string): boolean {
    this.#pages++;
    const isNew = this.#tokens.size < this.#tokens.add(token).size;
    return isNew && token.length <= bounds.token && this.#pages < bounds.pages;
  }

  /** The list starts again, and may repeat its tokens. */
  restart(): void {
    this.#tokens.clear();
  }
}

export const endlessList: Problem = {
  kind: 'Malformed',
  message: 'the server continues the list without end',
};

/** Reads a list page by page: all of it or nothing. */
export async function everyPage<T>(
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
): Promise<ListReading<T>> {
  const limit = new ListLimit();
  const items: T[] = [];
  let token: PageToken;
  for (;;) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return page;
    for (const item of page.items) items.push(item);
    if (page.token === undefined) return { kind: 'Read', items };
    if (!limit.allowsItems(page.items.length) || !limit.allowsPageAfter(page.token)) break;
    token = page.token;
  }
  return { kind: 'Unreadable', problem: endlessList };
}

/** Undefined if it is unclear how a page ends, so that no part passes for the whole. */
export function continueToken(metadata: unknown = {}): { readonly token: PageToken } | undefined {
  if (!isRecord(metadata)) return undefined;
  const { continue: token = '' } = metadata;
  return typeof token === 'string' ? { token: token || undefined } : undefined;
}
