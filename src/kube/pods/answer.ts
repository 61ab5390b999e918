import type { MalformedPod, PodName, PodRef, PodView } from '../../model/pod.ts';
import type { PodReading, Problem } from '../../model/reading.ts';
import { printable } from '../../util/text.ts';
import { type Answer, parseStatus, refusal, type Status, statusIn, unexpected } from '../client/answer.ts';
import { BodyError, type Bytes, largestMessage, largestObject, tooLarge } from '../client/exchange.ts';
import type { PodReader } from '../client/transport.ts';
import { type Json, record, text } from '../json.ts';
import { endlessList, type ListLimit, podPath } from '../objects/objects.ts';
import { listMeta, pod, podGlance, podNames, status, typeMeta } from './message.ts';
import { narrowNames, narrowPod } from './narrow.ts';
import { decode, textsAtStart } from './protobuf.ts';
import { Arriving, magic, type Parts, split } from './stream.ts';

/** What an answer to a request for pods holds besides the items of a list. */
export type PodAnswer =
  /** The metadata are undefined if they cannot be read. */
  | { readonly kind: 'PodList'; readonly metadata: Json | undefined }
  | { readonly kind: 'Pod'; readonly pod: Json | undefined }
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

/** What to do with the pods of a list. */
export interface ListReader {
  /** Takes the pods, some at a time; the next ones are read when it is done. */
  readonly hand: (batch: PodBatch) => Promise<void>;
  /** Whether only the names of a pod are wanted, by what `podGlance` shows of it. */
  readonly isLeftOut: (glance: unknown) => boolean;
  readonly limit: ListLimit;
}

/** A batch ends at so many pods or bytes: what is collected while it is young costs the garbage collector least. */
const batchPods = 500;
const batchBytes = 1024 * 1024;
/** An API server sends nothing but pods, so an answer with this many other items comes from something else. */
const malformedAllowed = 10_000;

/** Reads an answer as it arrives, with one pod at a time in memory. Throws a BodyError. */
export async function readPodAnswer(bytes: Bytes, list?: ListReader): Promise<PodAnswer> {
  const arriving = new Arriving(bytes);
  try {
    await arriving.has(magic.length);
    if (!arriving.peek(magic.length).equals(magic)) {
      await arriving.has(largestMessage);
      return { kind: 'Text', text: arriving.take(largestMessage).toString('utf8') };
    }
    const reader = new AnswerReader(arriving, list);
    await split(arriving, reader);
    return await reader.end();
  } finally {
    await arriving.close();
  }
}

class AnswerReader implements Parts {
  #type: Json = {};
  #answer: PodAnswer | undefined;
  #batch = emptyBatch();
  #malformed = 0;
  #batches = 0;

  constructor(
    private readonly arriving: Arriving,
    private readonly list: ListReader | undefined,
  ) {}

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
        ? { kind: 'Pod', pod: decode(pod, bytes) }
        : { kind: 'Other', object: { ...this.#type, ...decode(status, bytes) } };
  }

  item(bytes: Buffer, isWhole: boolean): Promise<void> | undefined {
    const { pods, malformed, leftOut } = this.#batch;
    if (isWhole) this.#add(bytes);
    else {
      const { message } = tooLarge('the pod', largestObject);
      const metadata = textsAtStart(podNames, bytes, 1);
      malformed.push({ ...nameOf({ metadata }), problem: `TooLarge: ${message}` });
    }
    const isFull = pods.length + malformed.length + leftOut.length >= batchPods;
    return isFull || this.arriving.sinceItems >= batchBytes ? this.#handOver() : undefined;
  }

  /** Hands over the last pods, or none: that there are none is worth knowing, too. */
  async end(): Promise<PodAnswer> {
    const { pods, malformed, leftOut } = this.#batch;
    const isEmpty = pods.length + malformed.length + leftOut.length === 0;
    if (this.#answer?.kind === 'PodList' && !(isEmpty && this.#batches > 0)) await this.#handOver();
    return this.#answer ?? { kind: 'Other', object: this.#type };
  }

  #add(bytes: Buffer): void {
    const { pods, malformed, leftOut } = this.#batch;
    const glance = decode(podGlance, bytes);
    if (this.list?.isLeftOut(glance)) {
      const ref = narrowNames(glance);
      if (ref) leftOut.push(ref);
      else
        malformed.push({
          ...nameOf(glance),
          problem: 'no name, uid or restartPolicy that Kubernetes allows',
        });
      return;
    }
    const item = decode(pod, bytes);
    const narrowed = narrowPod(item);
    if ('problem' in narrowed) malformed.push({ ...nameOf(item), problem: narrowed.problem });
    else pods.push(narrowed);
  }

  async #handOver(): Promise<void> {
    const batch = this.#batch;
    this.#batch = emptyBatch();
    this.#batches++;
    this.#malformed += batch.malformed.length;
    await this.list?.hand(batch);
    this.arriving.itemsTaken();
    if (this.#malformed > malformedAllowed) throw new BodyError(notPods);
    const count = batch.pods.length + batch.malformed.length + batch.leftOut.length;
    if (this.list?.limit.allowsItems(count) === false) throw new BodyError(endlessList);
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

function nameOf(item: unknown): { readonly namespace: string; readonly name: string } {
  const { namespace, name } = record(record(item)['metadata']);
  return { namespace: printable(text(namespace) ?? '', 253), name: printable(text(name) ?? '', 253) };
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
  const answer = await transport.read(podPath(ref), {}, (bytes) => readPodAnswer(bytes), abort);
  if (answer.kind === 'Unanswered') return { kind: 'Unreadable', problem: answer.problem };
  const { status, body, date } = answer;
  if (status !== 200 || body.kind !== 'Pod') {
    const problem = whyNoPods(answer, 'a pod', transport.redact, ref.name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const pod = narrowPod(body.pod);
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
