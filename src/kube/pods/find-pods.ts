import type { Scope } from '../../model/scope.ts';
import type { ListPart } from '../../ports.ts';
import { handedOver } from '../handed-over.ts';
import type { Answer } from '../http/answer.ts';
import type { Take } from '../http/exchange.ts';
import type { ListTransport } from '../http/transport.ts';
import { podsPath } from '../paths.ts';
import { asAsked } from './as-asked.ts';
import { Given } from './given.ts';
import { type PodBatch, type PodListBody, readPodBatches, readPodList } from './list-body.ts';
import { pagesOf, selectorsOf } from './list-pods.ts';
import { readPage } from './pages.ts';

type Page = Extract<ListPart, { readonly kind: 'Page' }>;

/**
 * Finds the pods of a scope by one list a namespace, which the API server answers from its watch cache, as
 * the first list of every controller, and gives them as they arrive. It may be behind by some seconds.
 *
 * A 1.24 reads pages from etcd, ten times as slowly, and pages with a selector lack pods there. Servers from
 * 1.33 on encode such a list item by item; older ones hold the encoded list in memory, but only of the pods
 * that are selected. The same way is best for both, so the version is not asked for. See
 * docs/adr/0011-the-finding-list.md.
 */
export async function* findPods(
  transport: ListTransport,
  scope: Scope,
  abort: AbortSignal,
): AsyncIterable<ListPart> {
  const namespaces = scope.namespaces.length > 0 ? scope.namespaces : [undefined];
  for (const namespace of namespaces) yield* findInNamespace(transport, namespace, scope, abort);
}

async function* findInNamespace(
  transport: ListTransport,
  namespace: string | undefined,
  scope: Scope,
  abort: AbortSignal,
): AsyncIterable<ListPart> {
  const query = { ...selectorsOf(scope), resourceVersion: '0' };
  const given = new Given();
  const freshIn = (batch: PodBatch) => given.fresh(asAsked(batch, namespace, scope));
  const answer = yield* handedOver<Page, Answer<PodListBody>>((hand, unwanted) =>
    transport.read(
      podsPath(namespace),
      query,
      takeBatches(given, freshIn, hand),
      AbortSignal.any([abort, unwanted]),
    ),
  );
  const end = readPage(answer, transport.redact);
  if (end.kind === 'Failed') yield { kind: 'Failed', namespace, problem: end.problem };
  // That there is no pod is known as of a time, too.
  else if (end.kind === 'Page' && given.isNothing)
    yield { kind: 'Page', pods: [], malformed: [], asOf: end.asOf };
  // Whatever stands between us and the server may page of its own accord.
  if (end.kind === 'Expired' || (end.kind === 'Page' && end.token !== undefined)) {
    given.beginAgain();
    yield* pagesOf(transport, { namespace, scope }, given, abort, end.token);
  }
}

/** Hands over what each try brings that is new. What is left for the end is the frame. */
function takeBatches(
  given: Given,
  freshIn: Given['fresh'],
  hand: (page: Page) => Promise<void>,
): Take<PodListBody> {
  return async (bytes, { status, date, apart }) => {
    if (status !== 200) return readPodList(bytes);
    given.beginAgain();
    const frame = await readPodBatches(bytes, (batch) =>
      apart(() => hand({ kind: 'Page', ...freshIn(batch), asOf: date })),
    );
    return { frame, pods: [], malformed: [], atWork: [] };
  };
}
