import { bounds } from '../../model/bounds.ts';
import type { PodName, PodView } from '../../model/pod.ts';
import type { Cluster, ListPart } from '../../model/ports.ts';
import type { ListReading, Problem } from '../../model/reading.ts';
import type { Scope } from '../../model/scope.ts';
import { printable } from '../../util/text.ts';
import { refusal, unexpected } from '../client/answer.ts';
import { whole } from '../client/exchange.ts';
import type { Over, PodReader, Reader } from '../client/transport.ts';
import { podPath } from '../objects/objects.ts';
import { readPodAnswer, whyNoPods } from './answer.ts';
import { isAtWork } from './narrow.ts';
import { type PodList, readList, SeenPods } from './pages.ts';

/** The API server answers from its watch cache (docs/internals/adr/0011-the-finding-list.md says why). */
export const findPods: Over<PodReader, Cluster['findPods']> = (transport, scope, abort) => {
  return listScope(transport, scope, { isFromCache: true, isLeftOut: isAtWork }, abort);
};

export const listPods: Over<PodReader, Cluster['listPods']> = async function* (
  transport,
  scope,
  abort,
  isWanted = () => true,
) {
  const isLeftOut: PodList['isLeftOut'] = (_glance, ref) => ref !== undefined && !isWanted(ref);
  for await (const part of listScope(transport, scope, { isFromCache: false, isLeftOut }, abort)) {
    yield part.kind === 'Page' ? { ...part, atWork: [] } : part;
  }
};

async function* listScope(
  transport: PodReader,
  { pods, namespaces, includePending, labelSelector, excludeNamespaces = [] }: Scope,
  how: Pick<PodList, 'isFromCache' | 'isLeftOut'>,
  abort: AbortSignal,
): AsyncGenerator<ListPart, void, void> {
  if (pods) return yield* readByName(transport, pods, abort);
  // The server leaves out the pods of Deployments, DaemonSets and StatefulSets, and those that have ended.
  const phase = includePending ? notEnded : 'status.phase=Running';
  const excluded = excludeNamespaces.map((name) => `,metadata.namespace!=${name}`).join('');
  const fieldSelector = `${phase},spec.restartPolicy!=Always${excluded}`;
  for (const namespace of namespaces.length > 0 ? namespaces : [undefined]) {
    const seen = new SeenPods();
    const list = { namespace, labelSelector, fieldSelector, ...how };
    for await (const part of readList(transport, list, abort)) {
      yield part.kind === 'Page' ? seen.unseen(part) : part;
    }
  }
}

const notEnded = 'status.phase!=Succeeded,status.phase!=Failed';

/** Each pod is a page of its own. */
async function* readByName(
  transport: PodReader,
  names: readonly PodName[],
  abort: AbortSignal,
): AsyncGenerator<ListPart, void, void> {
  for (const { namespace, name } of names) {
    const reading = await readPod(transport, { namespace, name }, abort);
    if (reading.kind === 'Present') {
      yield { kind: 'Page', pods: [reading.pod], malformed: [], atWork: [], asOf: reading.asOf };
      continue;
    }
    const pod = `the pod ${namespace}/${name}`;
    const problem: Problem =
      reading.kind === 'Unreadable'
        ? { ...reading.problem, message: `${pod} cannot be read: ${reading.problem.message}` }
        : { kind: 'NotFound', message: `${pod} does not exist` };
    yield { kind: 'Failed', namespace, problem, what: 'Pod' };
  }
}

/** Every version of Kubernetes sets the label without a prefix. */
export const listJobPods: Over<PodReader, Cluster['listJobPods']> = (
  transport,
  namespace,
  { uid },
  abort,
) => {
  const list = { namespace, labelSelector: `controller-uid=${uid}`, fieldSelector: notEnded };
  return collect(transport, list, (pod) => pod.owner?.uid === uid, abort);
};

export const listFailedPods: Over<PodReader, Cluster['listFailedPods']> = (transport, namespace, abort) => {
  const list = { namespace, labelSelector: 'job-name', fieldSelector: 'status.phase=Failed' };
  return collect(transport, list, ({ phase }) => phase === 'Failed', abort);
};

async function collect(
  transport: PodReader,
  list: Pick<PodList, 'namespace' | 'labelSelector' | 'fieldSelector'>,
  isWanted: (pod: PodView) => boolean,
  abort: AbortSignal,
): Promise<ListReading<PodView>> {
  // A list that starts again shows a later state of a pod.
  const pods = new Map<string, PodView>();
  const unwritten = { command: undefined, args: undefined, mounts: [], env: {} };
  let left = 10 * bounds.jobPods;
  for await (const part of readList(
    transport,
    { ...list, isFromCache: false, isLeftOut: () => false },
    abort,
  )) {
    if (part.kind === 'Failed') return { kind: 'Unreadable', problem: part.problem };
    if (part.kind === 'Inconsistent') continue;
    const [malformed] = part.malformed;
    if (malformed) return unreadable('Malformed', `the pod ${malformed.name}: ${malformed.problem}`);
    for (const pod of part.pods.filter(isWanted)) {
      const containers = pod.containers.map((container) => ({ ...container, ...unwritten }));
      left -= containers.length;
      pods.set(pod.ref.uid, { ...pod, labels: {}, annotations: {}, nativeSidecars: [], containers });
    }
    if (pods.size >= bounds.jobPods || left <= 0) {
      return unreadable('TooLarge', `there are more than ${bounds.jobPods} of them, or of their containers`);
    }
  }
  return { kind: 'Read', items: [...pods.values()] };
}

function unreadable(kind: Problem['kind'], message: string): ListReading<never> {
  return { kind: 'Unreadable', problem: { kind, message } };
}

export const readLog: Over<Reader, Cluster['readLog']> = async (transport, ref, container, lines, abort) => {
  const limit = lines * bounds.logLine;
  for (let tail = lines; ; tail = Math.ceil(tail / 2)) {
    const query = { container, tailLines: String(tail), limitBytes: String(limit) };
    const answer = await transport.get(podPath(ref, 'log'), query, abort);
    if (answer.kind !== 'Answered' || answer.status !== 200) {
      return { kind: 'Unreadable', problem: refusal(answer) };
    }
    // limitBytes cuts off the end, which matters most, and the kubelet's lines may have 16 KiB.
    if (tail > 1 && Buffer.byteLength(answer.body) >= limit) continue;
    const text = transport.redact(answer.body).slice(0, limit).replace(/\n$/, '');
    const all = text === '' ? [] : text.split('\n');
    return { kind: 'Read', lines: all.slice(-lines).map((line) => printable(line)) };
  }
};

export const readPod: Over<PodReader, Cluster['readPod']> = async (transport, ref, abort) => {
  const answer = await whole(transport.read(podPath(ref), {}, (bytes) => readPodAnswer(bytes), abort));
  if (answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: answer.problem };
  const { status, body, date } = answer;
  if (status !== 200 || body.kind !== 'Pod') {
    const problem = whyNoPods(answer, 'a pod', transport.redact, ref.name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const { pod } = body;
  if ('problem' in pod) return { kind: 'Unreadable', problem: unexpected('a pod', pod.problem) };
  const { namespace, name, uid } = pod.ref;
  if (namespace !== ref.namespace || name !== ref.name) {
    const message = `the server answered with another pod, ${namespace}/${name}`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  return ref.uid === undefined || uid === ref.uid
    ? { kind: 'Present', pod, asOf: date }
    : { kind: 'Replaced', uid };
};
