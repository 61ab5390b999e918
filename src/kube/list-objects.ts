import type { ObjectPage, PageToken } from '../model/reading.ts';
import { matchesLabels } from '../model/scope.ts';
import { refusal } from './http/answer.ts';
import { unexpected } from './http/problem.ts';
import type { Transport } from './http/transport.ts';
import { isRecord, type Json, parseJson, record } from './json.ts';
import { continueToken } from './list-end.ts';
import { strings } from './pods/interned.ts';

/** What a list is of, and how it is read. */
export interface Listed<T> {
  readonly path: string;
  /** Of the answer, such as `JobList`. */
  readonly kind: string;
  /** So few that a page of large ones is no larger than one object may be. */
  readonly pageSize: number;
  readonly labelSelector?: string | undefined;
  /** The items of a list have no kind. */
  readonly narrow: (item: Json) => T;
}

/** One page of a list; without a token, the first one. */
export async function listObjects<T>(
  transport: Pick<Transport, 'get' | 'redact'>,
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
  // What is no object may be the one that is looked for.
  if (given !== kind || !end || !Array.isArray(items) || !items.every(isRecord)) {
    return { kind: 'Unreadable', problem: unexpected(`a ${kind}`, transport.redact(answer.body)) };
  }
  if (labelSelector !== undefined && !items.every((item) => isLike(item, labelSelector))) {
    const message = `the server answered with items that do not match ${labelSelector}`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  return { kind: 'Page', items: items.map(narrow), token: end.token };
}

/** What is between us and the server may have lost the selector on its way. */
function isLike({ metadata }: Json, labelSelector: string): boolean {
  return matchesLabels(labelSelector, strings(record(metadata)['labels']));
}
