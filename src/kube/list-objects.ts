import type { ObjectPage, PageToken } from '../vocabulary.ts';
import { refusal } from './http/answer.ts';
import { unexpected } from './http/problem.ts';
import type { Transport } from './http/transport.ts';
import { filled, type Json, parseJson, record, records } from './json.ts';

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
  const body = record(parseJson(answer.body));
  if (body['kind'] !== kind) {
    return { kind: 'Unreadable', problem: unexpected(`a ${kind}`, transport.redact(answer.body)) };
  }
  const items = records(body['items']).map(narrow);
  return { kind: 'Page', items, token: filled(record(body['metadata'])['continue']) };
}
