import type { Millis } from '../../duration.ts';
import type { Problem } from '../../model/observation.ts';
import type { MalformedPod, PodRef, PodView } from '../../model/pod.ts';
import { type Answer, refusal } from '../http/answer.ts';
import { parseStatus, unexpected } from '../http/problem.ts';
import type { ListTransport } from '../http/transport.ts';
import { parseJson, record } from '../json.ts';
import { readListEnd } from '../list-end.ts';
import { type PodListBody, readPodList } from './list-body.ts';

/** One answer of the server to a list of pods. */
export type Page =
  | {
      readonly kind: 'Page';
      readonly pods: readonly PodView[];
      readonly malformed: readonly MalformedPod[];
      /** The server's clock when it answered; undefined when it does not say. */
      readonly asOf: Millis | undefined;
      /** Continues the list; undefined on its last page. */
      readonly token: string | undefined;
    }
  /** The list continues in a later state, or starts again without a token, and may repeat pods. */
  | { readonly kind: 'Expired'; readonly token: string | undefined }
  /** The list ends here. */
  | { readonly kind: 'Failed'; readonly problem: Problem };

const largestPageSize = 500;
/** A sweep of a large cluster may outlast a token (about five minutes), but not for ever. */
const expiriesAllowed = 5;
/** Several times what the largest clusters have. https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const podsAllowed = 1_000_000;
/** That many pods have a fifth of these pages, unless pages have to be small. */
const pagesAllowed = 10_000;

interface List {
  readonly path: string;
  readonly selectors: Readonly<Record<string, string>>;
  /** Without it, every pod is wanted. */
  readonly isWanted?: ((pod: PodRef) => boolean) | undefined;
}

/**
 * Lists pods page by page, and requests a page only when it is wanted.
 * @param from The token of a list that somebody else began.
 */
export async function* listPages(
  transport: ListTransport,
  { path, selectors, isWanted }: List,
  abort: AbortSignal,
  from?: string,
): AsyncGenerator<Page, void, void> {
  const tokens = new Set<string>();
  let expiries = 0;
  let pods = 0;
  let token = from;
  let pageSize = largestPageSize;
  for (;;) {
    const query = { ...selectors, limit: String(pageSize), ...(token !== undefined && { continue: token }) };
    const answer = await transport.read(path, query, (bytes) => readPodList(bytes, isWanted), abort);
    const page = readPage(answer, transport.redact);
    if (page.kind === 'Failed' && page.problem.kind === 'TooLarge' && pageSize > 1) {
      pageSize = Math.floor(pageSize / 8) || 1;
      continue;
    }
    yield page;
    switch (page.kind) {
      case 'Failed':
        return;
      case 'Expired':
        if (++expiries > expiriesAllowed) {
          yield failed('Rejected', 'the list expired again and again before it could be read');
          return;
        }
        // A list that starts again may repeat its tokens.
        tokens.clear();
        break;
      case 'Page':
        if (page.token === undefined) return;
        pods += pageSize;
        if (tokens.has(page.token) || tokens.size >= pagesAllowed || pods >= podsAllowed) {
          yield failed('Malformed', 'the server continues the list without end');
          return;
        }
        tokens.add(page.token);
        pageSize = Math.min(2 * pageSize, largestPageSize);
        break;
    }
    token = page.token;
  }
}

/** Only a PodList is a list of pods; anything else that comes with HTTP 200 is not "no pods". */
export function readPage(answer: Answer<PodListBody>, redact: (text: string) => string): Page {
  if (answer.kind === 'Unanswered') return { kind: 'Failed', problem: answer.problem };
  const { frame, pods, malformed } = answer.body;
  const body = record(parseJson(frame));
  const status = body['kind'] === 'Status' ? parseStatus(body) : undefined;
  if (answer.status === 410 || status?.code === 410) return { kind: 'Expired', token: status?.continueToken };
  if (answer.status !== 200) return { kind: 'Failed', problem: refusal({ ...answer, body: redact(frame) }) };
  const { kind, items, metadata } = body;
  const end = readListEnd(metadata);
  // Items that are still in the frame were not recognised.
  if (kind !== 'PodList' || !end || !Array.isArray(items) || items.length > 0) {
    return { kind: 'Failed', problem: unexpected('a PodList', redact(status?.message ?? frame)) };
  }
  return { kind: 'Page', pods, malformed, asOf: answer.date, token: end.token };
}

function failed(kind: Problem['kind'], message: string): Page {
  return { kind: 'Failed', problem: { kind, message } };
}
