import type { PodRef } from '../../model/pod.ts';
import type { ListPart } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import type { Take } from '../client/exchange.ts';
import type { PodReader } from '../client/transport.ts';
import { continueToken, endlessList, ListLimit, resourcePath } from '../objects/objects.ts';
import { type PodAnswer, type PodPage, readPodAnswer, statusOf, whyNoPods } from './answer.ts';
import type { PodGlance } from './message.ts';

export interface PodList {
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string;
  /** Whether one unpaged answer from the watch cache is wanted; otherwise the list is paged, from etcd. */
  readonly isFromCache: boolean;
  readonly isLeftOut: (glance: PodGlance, ref: PodRef | undefined) => boolean;
}

const pageSize = '500';
/** A sweep of a large cluster may outlast a token (about five minutes), but not for ever. */
const expiriesAllowed = 5;

/** Pods that are repeated by a retry or by a list that starts again are yielded again. */
export async function* readList(
  transport: PodReader,
  list: PodList,
  abort: AbortSignal,
): AsyncGenerator<ListPart, void, void> {
  const problem = yield* readPages(transport, list, abort);
  if (problem) yield { kind: 'Failed', namespace: list.namespace, problem };
}

async function* readPages(
  transport: PodReader,
  list: PodList,
  abort: AbortSignal,
): AsyncGenerator<ListPart, Problem | undefined, void> {
  const { namespace, labelSelector, fieldSelector } = list;
  const limit = new ListLimit();
  const take: Take<PodAnswer, PodPage> = (bytes, { status, date }) =>
    readPodAnswer(bytes, status === 200 ? { ...list, limit, asOf: date } : undefined);
  const path = resourcePath('v1', 'pods', { namespace });
  let isPaged = !list.isFromCache;
  let token: string | undefined;
  for (let expiries = 0; ; ) {
    const query = {
      fieldSelector,
      ...(labelSelector !== undefined && { labelSelector }),
      ...(isPaged ? { limit: pageSize } : { resourceVersion: '0' }),
      ...(token !== undefined && { continue: token }),
    };
    const answer = yield* transport.read(path, query, take, abort);
    if (answer.kind === 'Unanswered') return answer.problem;
    const { status, body } = answer;
    const said = statusOf(body);
    if (status === 410 || said?.code === 410) {
      // With a token, the list continues from a later state; without one, it starts again.
      if (isPaged) yield { kind: 'Inconsistent' };
      if (++expiries > expiriesAllowed) {
        return { kind: 'Rejected', message: 'the list kept expiring before it could be read' };
      }
      limit.restart();
      token = said?.continueToken;
    } else {
      const end = body.kind === 'PodList' && status === 200 && continueToken(body.metadata ?? null);
      if (!end) return whyNoPods(answer, 'a PodList', transport.redact);
      if (end.token === undefined) return undefined;
      if (!limit.allowsPageAfter(end.token)) return endlessList;
      token = end.token;
    }
    // A proxy may split an unpaged list into pages.
    isPaged = true;
  }
}

/** No pod is yielded twice, and then swept twice. */
export class SeenPods {
  readonly #keys = new Set<string>();

  unseen({ pods, malformed, atWork, ...page }: PodPage): PodPage {
    return {
      ...page,
      pods: pods.filter(({ ref }) => this.#isNew(ref.uid)),
      atWork: atWork.filter(({ uid }) => this.#isNew(uid)),
      // Items without a name cannot be told apart.
      malformed: malformed.filter(
        ({ namespace, name }) => name === '' || this.#isNew(`${namespace}/${name}`),
      ),
    };
  }

  #isNew(key: string): boolean {
    return this.#keys.size < this.#keys.add(key).size;
  }
}
