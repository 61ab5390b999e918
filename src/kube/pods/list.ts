import type { MalformedPod, Owner, PodName, PodRef, PodView } from '../../model/pod.ts';
import type { ListPart } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import { matchesLabels, type Scope } from '../../model/scope.ts';
import { createSlots } from '../../util/concurrency.ts';
import { endlessList, ListLimit } from '../every-page.ts';
import { handedOver } from '../handed-over.ts';
import type { Answer } from '../http/answer.ts';
import type { ListTransport } from '../http/transport.ts';
import { continueToken } from '../list-end.ts';
import { podsPath } from '../paths.ts';
import { isAtWork, narrowNames } from './narrow.ts';
import { type PodAnswer, type PodBatch, readPodAnswer, statusOf, whyNoPods } from './pod-answer.ts';
import { readPod } from './read-pod.ts';

/**
 * Finds the pods of a scope by one list a namespace, which the API server answers from its watch cache, like the first list of
 * every controller, and gives them as they arrive. It may be some seconds behind.
 *
 * A 1.24 reads pages from etcd, ten times as slowly, and pages with a selector lack pods there. Servers from 1.33 on encode an
 * unpaged list item by item; older ones hold the encoded list in memory, but only of the selected pods. The same way is best for
 * both. See docs/adr/0011-the-finding-list.md.
 */
export function findPods(
  transport: ListTransport,
  scope: Scope,
  abort: AbortSignal,
): AsyncGenerator<ListPart, void, void> {
  return listScope(transport, scope, { isFromCache: true, isLeftOut: isAtWork }, abort);
}

/** Lists the pods of a scope as they are in etcd, page by page. Pods that are not wanted are left out at a glance. */
export async function* listPods(
  transport: ListTransport,
  scope: Scope,
  abort: AbortSignal,
  isWanted: (pod: PodRef) => boolean = () => true,
): AsyncGenerator<ListPart, void, void> {
  const isLeftOut = (glance: unknown) => {
    const ref = narrowNames(glance);
    return ref !== undefined && !isWanted(ref);
  };
  for await (const part of listScope(transport, scope, { isFromCache: false, isLeftOut }, abort)) {
    if (part.kind !== 'Page') yield part;
    else yield { kind: 'Page', pods: part.pods, malformed: part.malformed, asOf: part.asOf };
  }
}

/**
 * The pods of a Job that have not ended, whose restarts the Job controller adds up. Undefined if they cannot all be read. Every
 * version sets the label without a prefix: https://kubernetes.io/docs/reference/labels-annotations-taints/#controller-uid
 */
export async function listJobPods(
  transport: ListTransport,
  namespace: string,
  { uid }: Owner,
  abort: AbortSignal,
): Promise<readonly PodView[] | undefined> {
  const labelSelector = `controller-uid=${uid}`;
  const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed';
  const found = new Map<string, PodView>();
  for await (const part of readList(
    transport,
    { ...ofPods(namespace, labelSelector), fieldSelector },
    abort,
  )) {
    if (part.kind === 'Failed' || (part.kind === 'Page' && part.malformed.length > 0)) return undefined;
    if (part.kind !== 'Page') continue;
    // A list that starts again shows a later state of a pod.
    for (const pod of part.pods) if (pod.owner?.uid === uid) found.set(pod.ref.uid, pod);
  }
  return [...found.values()];
}

/** Enough to learn from, and no more than a moment's work for the server. */
const failedPodsWanted = 10_000;

/** Failed pods of Jobs, in all namespaces if none is named. Pods that cannot be read are missing. */
export async function listFailedPods(
  transport: ListTransport,
  namespaces: readonly string[],
  abort: AbortSignal,
): Promise<readonly PodView[]> {
  const found = new Map<string, PodView>();
  const fieldSelector = 'status.phase=Failed';
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    const most = found.size + failedPodsWanted;
    for await (const part of readList(
      transport,
      { ...ofPods(namespace, 'job-name'), fieldSelector },
      abort,
    )) {
      const pods = part.kind === 'Page' ? part.pods : [];
      for (const pod of pods) if (pod.phase === 'Failed') found.set(pod.ref.uid, pod);
      if (found.size >= most) break;
    }
  }
  return [...found.values()];
}

async function* listScope(
  transport: ListTransport,
  { pods, namespaces, includePending, labelSelector, excludeNamespaces = [] }: Scope,
  how: Pick<PodList, 'isFromCache' | 'isLeftOut'>,
  abort: AbortSignal,
): AsyncGenerator<ListPart, void, void> {
  if (pods) return yield* readByName(transport, pods, abort);
  // The server leaves out the pods of Deployments, DaemonSets and StatefulSets, and those that have ended.
  const phase = includePending ? 'status.phase!=Succeeded,status.phase!=Failed' : 'status.phase=Running';
  const excluded = excludeNamespaces.map((name) => `,metadata.namespace!=${name}`).join('');
  const fieldSelector = `${phase},spec.restartPolicy!=Always${excluded}`;
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    const seen = new SeenPods();
    const list = { namespace, labelSelector, fieldSelector, ...how };
    for await (const part of readList(transport, list, abort)) {
      yield part.kind === 'Page' ? { ...part, ...seen.unseen(part) } : part;
    }
  }
}

/** How many pods that are named are read at a time. */
const readsAtOnce = 5;

/** The pods of these names, each in a page of its own. One that does not exist cannot be read either. */
async function* readByName(
  transport: ListTransport,
  names: readonly PodName[],
  abort: AbortSignal,
): AsyncGenerator<ListPart, void, void> {
  const slots = createSlots(readsAtOnce);
  const readings = names.map((name) => slots(() => readPod(transport, name, abort)));
  for (const [index, { namespace, name }] of names.entries()) {
    const reading = await readings[index];
    if (reading?.kind === 'Present') {
      yield { kind: 'Page', pods: [reading.pod], malformed: [], asOf: reading.asOf };
    } else {
      const pod = `the pod ${namespace}/${name}`;
      const problem: Problem =
        reading?.kind === 'Unreadable'
          ? { ...reading.problem, message: `${pod} cannot be read: ${reading.problem.message}` }
          : { kind: 'NotFound', message: `${pod} does not exist` };
      yield { kind: 'Failed', namespace, problem, what: 'Pod' };
    }
  }
}

/** A list of pods, and how to read it. */
interface PodList {
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly fieldSelector: string;
  /** Whether one unpaged answer from the watch cache is wanted; otherwise the list is paged, from etcd. */
  readonly isFromCache: boolean;
  readonly isLeftOut: (glance: unknown) => boolean;
}

function ofPods(namespace: string | undefined, labelSelector: string): Omit<PodList, 'fieldSelector'> {
  return { namespace, labelSelector, isFromCache: false, isLeftOut: () => false };
}

type Page = Extract<ListPart, { readonly kind: 'Page' }> & { readonly atWork: readonly PodRef[] };
type Part = Page | Exclude<ListPart, { readonly kind: 'Page' }>;

const pageSize = '500';
/** A sweep of a large cluster may outlast a token (about five minutes), but not for ever. */
const expiriesAllowed = 5;

/** The pods of one list as they arrive. Those that a retry or a list that starts again repeats are given again. */
async function* readList(
  transport: ListTransport,
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
  transport: ListTransport,
  list: PodList,
  { query, limit }: { readonly query: Readonly<Record<string, string>>; readonly limit: ListLimit },
  abort: AbortSignal,
): AsyncGenerator<Page, End, void> {
  const answer = yield* handedOver<Page, Answer<PodAnswer>>((hand, unwanted) =>
    transport.read(
      podsPath(list.namespace),
      query,
      (bytes, { status, date, apart }) => {
        const handPage = (batch: PodBatch) =>
          apart(() => hand({ kind: 'Page', ...asAsked(batch, list), asOf: date }));
        const reader = { hand: handPage, isLeftOut: list.isLeftOut, limit };
        return readPodAnswer(bytes, status === 200 ? reader : undefined);
      },
      AbortSignal.any([abort, unwanted]),
    ),
  );
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
