import type { MalformedPod, PodRef, PodView } from '../../model/pod.ts';
import type { ListPart } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import { matchesLabels } from '../../model/scope.ts';
import type { Take } from '../client/exchange.ts';
import type { PodReader } from '../client/transport.ts';
import { continueToken, endlessList, ListLimit, podsPath } from '../objects/objects.ts';
import { type PodAnswer, type PodBatch, readPodAnswer, statusOf, whyNoPods } from './answer.ts';
import type { PodGlance } from './message.ts';

/** A list of pods, and how to read it. */
export interface PodList {
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string;
  /** Whether one unpaged answer from the watch cache is wanted; otherwise the list is paged, from etcd. */
  readonly isFromCache: boolean;
  readonly isLeftOut: (glance: PodGlance) => boolean;
}

export function ofPods(namespace: string | undefined, labelSelector: string): Omit<PodList, 'fieldSelector'> {
  return { namespace, labelSelector, isFromCache: false, isLeftOut: () => false };
}

type Page = Extract<ListPart, { readonly kind: 'Page' }> & { readonly atWork: readonly PodRef[] };
type Part = Page | Exclude<ListPart, { readonly kind: 'Page' }>;

const pageSize = '500';
/** A sweep of a large cluster may outlast a token (about five minutes), but not for ever. */
const expiriesAllowed = 5;

/** The pods of one list as they arrive. Those that a retry or a list that starts again repeats are given again. */
export async function* readList(
  transport: PodReader,
  list: PodList,
  abort: AbortSignal,
): AsyncGenerator<Part, void, void> {
  const { namespace, labelSelector, fieldSelector } = list;
  const limit = new ListLimit();
  const failed = (problem: Problem): Part => ({ kind: 'Failed', namespace, problem });
  let isPaged = !list.isFromCache;
  let token: string | undefined;
  for (let expiries = 0; ; ) {
    const query = {
      fieldSelector,
      ...(labelSelector !== undefined && { labelSelector }),
      ...(isPaged ? { limit: pageSize } : { resourceVersion: '0' }),
      ...(token !== undefined && { continue: token }),
    };
    const end = yield* readAnswer(transport, list, { query, limit }, abort);
    switch (end.kind) {
      case 'Complete':
        return;
      case 'Failed':
        yield failed(end.problem);
        return;
      case 'Expired':
        // An unpaged list has shown nothing by then.
        if (isPaged) yield { kind: 'Inconsistent' };
        if (++expiries > expiriesAllowed) {
          const message = 'the list expired again and again before it could be read';
          yield failed({ kind: 'Rejected', message });
          return;
        }
        limit.restart();
        break;
      case 'Continues':
        if (!limit.allowsPageAfter(end.token)) {
          yield failed(endlessList);
          return;
        }
        break;
    }
    token = end.token;
    // Something between us and the server may split an unpaged list into pages.
    isPaged = true;
  }
}

/** How an answer to a list ends. */
type End =
  | { readonly kind: 'Complete' }
  | { readonly kind: 'Continues'; readonly token: string }
  /** The list continues in a later state, or starts again without a token. */
  | { readonly kind: 'Expired'; readonly token: string | undefined }
  | { readonly kind: 'Failed'; readonly problem: Problem };

async function* readAnswer(
  transport: PodReader,
  list: PodList,
  { query, limit }: { readonly query: Readonly<Record<string, string>>; readonly limit: ListLimit },
  abort: AbortSignal,
): AsyncGenerator<Page, End, void> {
  const { isLeftOut } = list;
  const take: Take<PodAnswer, Page> = (bytes, { status, date }) => {
    const toPage = (batch: PodBatch): Page => ({ kind: 'Page', ...asAsked(batch, list), asOf: date });
    return readPodAnswer(bytes, status === 200 ? { isLeftOut, limit, toPage } : undefined);
  };
  const answer = yield* transport.read(podsPath(list.namespace), query, take, abort);
  if (answer.kind === 'Unanswered') return { kind: 'Failed', problem: answer.problem };
  const { status, body } = answer;
  const said = statusOf(body);
  if (status === 410 || said?.code === 410) return { kind: 'Expired', token: said?.continueToken };
  const end = body.kind === 'PodList' && status === 200 ? continueToken(body.metadata ?? null) : undefined;
  if (!end) return { kind: 'Failed', problem: whyNoPods(answer, 'a PodList', transport.redact) };
  return end.token === undefined ? { kind: 'Complete' } : { kind: 'Continues', token: end.token };
}

type AskedPods = Pick<Page, 'pods' | 'malformed' | 'atWork'>;

/**
 * The pods that were asked for. A proxy or a cache may answer a request with the answer to another one, and pods that a namespace
 * or a label excludes must not be swept because of it. Whatever the field selector excludes is judged anyway.
 */
export function asAsked(
  { pods, malformed, leftOut }: PodBatch,
  { namespace, labelSelector }: Pick<PodList, 'namespace' | 'labelSelector'>,
): AskedPods {
  if (namespace === undefined && labelSelector === undefined) return { pods, malformed, atWork: leftOut };
  const isElsewhere = (ref: PodRef) => namespace !== undefined && ref.namespace !== namespace;
  const isUnlike = ({ labels }: PodView) =>
    labelSelector !== undefined && !matchesLabels(labelSelector, labels);
  const elsewhere = [...pods.map(({ ref }) => ref), ...leftOut].filter(isElsewhere);
  const unlike = pods.filter((pod) => !isElsewhere(pod.ref) && isUnlike(pod)).map(({ ref }) => ref);
  return {
    pods: pods.filter((pod) => !isElsewhere(pod.ref) && !isUnlike(pod)),
    atWork: leftOut.filter((ref) => !isElsewhere(ref)),
    malformed: [
      ...malformed,
      ...elsewhere.map(notAsked(`it came with a list of namespace ${namespace}`)),
      ...unlike.map(notAsked(`it came with a list of ${labelSelector}, which it does not match`)),
    ],
  };
}

function notAsked(problem: string): (ref: PodRef) => MalformedPod {
  return ({ namespace, name }) => ({ namespace, name, problem });
}

/** The pods that a list has given, so that none is given twice: it would be swept twice. */
export class SeenPods {
  readonly #uids = new Set<string>();
  readonly #malformed = new Set<string>();

  unseen({ pods, malformed, atWork }: AskedPods): AskedPods {
    return {
      pods: pods.filter(({ ref }) => isNew(this.#uids, ref.uid)),
      atWork: atWork.filter(({ uid }) => isNew(this.#uids, uid)),
      // Items without a name cannot be told apart.
      malformed: malformed.filter(
        ({ namespace, name }) => name === '' || isNew(this.#malformed, `${namespace}/${name}`),
      ),
    };
  }
}

function isNew(set: Set<string>, key: string): boolean {
  return set.size < set.add(key).size;
}
