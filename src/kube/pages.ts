import type { Millis } from '../duration.ts';
import { printable } from '../printable.ts';
import type { Problem } from '../vocabulary.ts';
import { filled, parseJson, record } from './json.ts';
import { parseStatus } from './problem.ts';
import { type Answer, refusal, type Transport } from './transport.ts';

/** One answer of the server to a list of pods. */
export type Page =
  | {
      readonly kind: 'Page';
      /** As they came; they may not be pods. */
      readonly items: readonly unknown[];
      /** The server's clock when it answered; undefined when it does not say. */
      readonly asOf: Millis | undefined;
      /** Continues the list; undefined on its last page. */
      readonly token: string | undefined;
    }
  /** The list continues in a later state, or starts again without a token, and may repeat pods. */
  | { readonly kind: 'Expired'; readonly token: string | undefined }
  /** The list ends here. */
  | { readonly kind: 'Failed'; readonly problem: Problem };

const pageSize = 500;
/** A sweep of a large cluster may outlast a token (about five minutes), but not for ever. */
const expiriesAllowed = 5;

/** Lists pods page by page, and requests a page only when it is wanted. */
export async function* listPages(
  transport: Pick<Transport, 'get'>,
  path: string,
  selectors: Readonly<Record<string, string>>,
  abort: AbortSignal,
): AsyncGenerator<Page, void, void> {
  const tokens = new Set<string>();
  let expiries = 0;
  let token: string | undefined;
  for (;;) {
    const query = { ...selectors, limit: String(pageSize), ...(token !== undefined && { continue: token }) };
    const page = readPage(await transport.get(path, query, abort));
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
        if (tokens.has(page.token)) {
          yield failed('Malformed', 'the server gave the same continue token twice');
          return;
        }
        tokens.add(page.token);
        break;
    }
    token = page.token;
  }
}

/** Only a PodList is a list of pods; anything else that comes with HTTP 200 is not "no pods". */
function readPage(answer: Answer): Page {
  if (answer.kind === 'Unanswered') return { kind: 'Failed', problem: answer.problem };
  const body = record(parseJson(answer.body));
  const status = body['kind'] === 'Status' ? parseStatus(body) : undefined;
  if (answer.status === 410 || status?.code === 410) return { kind: 'Expired', token: status?.continueToken };
  if (answer.status !== 200) return { kind: 'Failed', problem: refusal(answer) };
  const { kind, items, metadata } = body;
  if (kind !== 'PodList' || !Array.isArray(items)) {
    const isHtml = answer.body.trimStart().startsWith('<');
    const what = isHtml ? 'HTML' : printable(status?.message ?? answer.body, 80);
    return failed(
      'Malformed',
      `the server answered with something that is not a PodList (${what}): is it a Kubernetes API server?`,
    );
  }
  return { kind: 'Page', items, asOf: answer.date, token: filled(record(metadata)['continue']) };
}

function failed(kind: Problem['kind'], message: string): Page {
  return { kind: 'Failed', problem: { kind, message } };
}
