import type { MalformedPod, PodName, PodRef, PodView } from '../../model/pod.ts';
import type { PodReading, Problem } from '../../model/reading.ts';
import { printable } from '../../util/text.ts';
import { type Answer, parseStatus, refusal, type Status, statusIn, unexpected } from '../client/answer.ts';
import { BodyError, type Bytes, largestMessage, largestObject, tooLarge } from '../client/exchange.ts';
import { type PodReader, whole } from '../client/transport.ts';
import type { Json } from '../json.ts';
import { endlessList, type ListLimit, podPath } from '../objects/objects.ts';
import { listMeta, type PodGlance, podGlance, podNames, status, typeMeta } from './message.ts';
import { type NarrowedPod, narrowNames, readPodView } from './narrow.ts';
import { decode } from './protobuf.ts';
import { Arriving, magic, type Parts, split } from './stream.ts';

/** What an answer to a request for pods holds besides the items of a list. */
export type PodAnswer =
  /** The metadata are undefined if they cannot be read. */
  | { readonly kind: 'PodList'; readonly metadata: Json | undefined }
  | { readonly kind: 'Pod'; readonly pod: NarrowedPod }
  /** A Status, or an object of a kind that is not read. */
  | { readonly kind: 'Other'; readonly object: Json }
  /** The beginning of an answer that is not in protobuf. */
  | { readonly kind: 'Text'; readonly text: string };

/** Some pods of a list. */
export interface PodBatch {
  readonly pods: readonly PodView[];
  readonly malformed: readonly MalformedPod[];
  /** The pods that were left out at a glance, of which only the names were read. */
  readonly leftOut: readonly PodRef[];
}

/** How the pods of a list are read. */
export interface ListReader<Page> {
  /** Whether only the names of a pod are wanted, by what a glance shows of it. */
  readonly isLeftOut: (glance: PodGlance) => boolean;
  readonly limit: ListLimit;
  /** What some of them are given as. */
  readonly toPage: (batch: PodBatch) => Page;
}

/** A batch ends at so many pods or bytes: what is collected while it is young costs the garbage collector least. */
const batchPods = 500;
const batchBytes = 1024 * 1024;
/** An API server sends nothing but pods, so an answer with this many other items comes from something else. */
const malformedAllowed = 10_000;

/** Reads an answer as it arrives, with one pod at a time in memory, and gives the pods of a list in batches. Throws a BodyError. */
export async function* readPodAnswer<Page = never>(
  bytes: Bytes,
  list?: ListReader<Page>,
): AsyncGenerator<Page, PodAnswer, void> {
  const arriving = new Arriving(bytes);
  try {
    await arriving.has(magic.length);
    if (!arriving.peek(magic.length).equals(magic)) {
      await arriving.has(largestMessage);
      return { kind: 'Text', text: arriving.take(largestMessage).toString('utf8') };
    }
    const reader = new AnswerReader(list);
    yield* split(arriving, reader);
    // That there are no pods is worth knowing, too.
    if (list && reader.answer.kind === 'PodList' && !(reader.isEmpty && reader.pages > 0))
      yield reader.page(list);
    reader.checkLimits();
    return reader.answer;
  } finally {
    await arriving.close();
  }
}

class AnswerReader<Page> implements Parts<Page> {
  #type: Json = {};
  #answer: PodAnswer | undefined;
  #batch = emptyBatch();
  #malformed = 0;
  #isEndless = false;
  pages = 0;

  constructor(private readonly list: ListReader<Page> | undefined) {}

  get answer(): PodAnswer {
    return this.#answer ?? { kind: 'Other', object: this.#type };
  }

  get isEmpty(): boolean {
    return count(this.#batch) === 0;
  }

  type(bytes: Buffer): boolean {
    this.#type = decode(typeMeta, bytes) ?? {};
    const isList = this.#type['kind'] === 'PodList' && this.list !== undefined;
    if (isList) this.#answer = { kind: 'PodList', metadata: {} };
    return isList;
  }

  metadata(bytes: Buffer): void {
    this.#answer = { kind: 'PodList', metadata: decode(listMeta, bytes) };
  }

  object(bytes: Buffer): void {
    this.#answer =
      this.#type['kind'] === 'Pod'
        ? { kind: 'Pod', pod: readPodView(bytes) }
        : { kind: 'Other', object: { ...this.#type, ...decode(status, bytes) } };
  }

  item(bytes: Buffer, isWhole: boolean, arrived: number): Page | undefined {
    const { list } = this;
    // An object that is not a list has no items.
    if (!list) return undefined;
    this.checkLimits();
    if (isWhole) this.#add(bytes, list);
    else {
      const { message } = tooLarge('the pod', largestObject);
      this.#addMalformed(decode(podNames, bytes, false), `TooLarge: ${message}`);
    }
    return count(this.#batch) >= batchPods || arrived >= batchBytes ? this.page(list) : undefined;
  }

  /** What has been read since the last page. */
  page({ limit, toPage }: ListReader<Page>): Page {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    this.pages++;
    this.#malformed += batch.malformed.length;
    this.#isEndless = !limit.allowsItems(count(batch));
    return toPage(batch);
  }

  /** Throws if there have been too many items in the batches so far. */
  checkLimits(): void {
    if (this.#malformed > malformedAllowed) throw new BodyError(notPods);
    if (this.#isEndless) throw new BodyError(endlessList);
  }

  #add(bytes: Buffer, { isLeftOut }: ListReader<Page>): void {
    const glance = decode(podGlance, bytes);
    if (!glance || !isLeftOut(glance)) {
      const pod = readPodView(bytes);
      if ('problem' in pod) this.#addMalformed(glance, pod.problem);
      else this.#batch.pods.push(pod);
      return;
    }
    const ref = narrowNames(glance);
    if (ref) this.#batch.leftOut.push(ref);
    else this.#addMalformed(glance, 'no name, uid or restartPolicy that Kubernetes allows');
  }

  #addMalformed(named: Pick<PodGlance, 'metadata'> | undefined, problem: string): void {
    const { namespace = '', name = '' } = named?.metadata ?? {};
    this.#batch.malformed.push({ namespace: printable(namespace, 253), name: printable(name, 253), problem });
  }
}

interface Batch {
  readonly pods: PodView[];
  readonly malformed: MalformedPod[];
  readonly leftOut: PodRef[];
}

function emptyBatch(): Batch {
  return { pods: [], malformed: [], leftOut: [] };
}

function count({ pods, malformed, leftOut }: Batch): number {
  return pods.length + malformed.length + leftOut.length;
}

const notPods: Problem = {
  kind: 'Malformed',
  message: `the list has more than ${malformedAllowed} items that are not pods: is it a Kubernetes API server?`,
};

/** The Status that came instead of pods, if one did. */
export function statusOf(body: PodAnswer): Status | undefined {
  if (body.kind === 'Text') return statusIn(body.text);
  return body.kind === 'Other' && body.object['kind'] === 'Status' ? parseStatus(body.object) : undefined;
}

/** Why an answer other than the pods that were asked for came. */
export function whyNoPods(
  answer: Extract<Answer<PodAnswer>, { readonly kind: 'Answered' }>,
  wanted: 'a pod' | 'a PodList',
  redact: (text: string) => string,
  name?: string,
): Problem {
  const { status, body } = answer;
  const said = redact(
    body.kind === 'Text' ? body.text : JSON.stringify(body.kind === 'Other' ? body.object : body),
  );
  if (status === 406 || (body.kind === 'Text' && status === 200 && jsonOfPods.test(said))) {
    return { kind: 'Malformed', message: noProtobuf };
  }
  if (status !== 200) return refusal({ ...answer, body: said }, name);
  return unexpected(wanted, redact(statusOf(body)?.message ?? said));
}

const jsonOfPods = /^\s*\{[\s\S]*"kind"\s*:\s*"Pod(?:List)?"/;
const noProtobuf =
  'the server did not answer in protobuf (application/vnd.kubernetes.protobuf), in which every Kubernetes API server offers pods: does a proxy change the Accept header?';

/** Reads the pod of that name, and finds out whether it is still the same one. */
export async function readPod(
  transport: PodReader,
  ref: PodName & { readonly uid?: string },
  abort: AbortSignal,
): Promise<PodReading> {
  const answer = await whole(transport.read(podPath(ref), {}, (bytes) => readPodAnswer(bytes), abort));
  if (answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: answer.problem };
  const { status, body, date } = answer;
  if (status !== 200 || body.kind !== 'Pod') {
    const problem = whyNoPods(answer, 'a pod', transport.redact, ref.name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const { pod } = body;
  if ('problem' in pod) {
    return malformed(
      `the server answered with something that is not a pod (${pod.problem}): is it a Kubernetes API server?`,
    );
  }
  const { namespace, name } = pod.ref;
  if (namespace !== ref.namespace || name !== ref.name) {
    return malformed(`the server answered with another pod, ${namespace}/${name}`);
  }
  if (ref.uid !== undefined && pod.ref.uid !== ref.uid) return { kind: 'Replaced', uid: pod.ref.uid };
  return { kind: 'Present', pod, asOf: date };
}

function malformed(message: string): PodReading {
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}
