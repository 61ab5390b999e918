import { bounds } from '../../model/bounds.ts';
import type { MalformedPod, PodRef, PodView } from '../../model/pod.ts';
import type { ListPart } from '../../model/ports.ts';
import type { Problem } from '../../model/reading.ts';
import { matchesLabels } from '../../model/scope.ts';
import type { Json } from '../../util/json.ts';
import { printable } from '../../util/text.ts';
import type { Millis } from '../../util/time.ts';
import { type Answer, parseStatus, refusal, type Status, statusIn, unexpected } from '../client/answer.ts';
import { BodyError, type Bytes, tooLarge } from '../client/exchange.ts';
import { endlessList, type ListLimit } from '../objects/objects.ts';
import { listMeta, type PodGlance, podGlance, podNames, status, typeMeta } from './message.ts';
import { type NarrowedPod, narrowNames, readPodView } from './narrow.ts';
import { decode } from './protobuf.ts';
import { Arriving, type Field, malformed } from './stream.ts';

/** An answer to a request for pods, without the items of a list. */
export type PodAnswer =
  /** The metadata are undefined if they cannot be read. */
  | { readonly kind: 'PodList'; readonly metadata: Json | undefined }
  | { readonly kind: 'Pod'; readonly pod: NarrowedPod }
  /** A Status, or an object of a kind that is not read. */
  | { readonly kind: 'Other'; readonly object: Json }
  /** The beginning of an answer that is not in protobuf. */
  | { readonly kind: 'Text'; readonly text: string };

export type PodPage = Extract<ListPart, { readonly kind: 'Page' }>;

interface ListReader {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Whether only the names of a pod are wanted, by what a glance shows of it. */
  readonly isLeftOut: (glance: PodGlance, ref: PodRef | undefined) => boolean;
  readonly limit: ListLimit;
  readonly asOf: Millis | undefined;
}

/** A page ends at so many pods or bytes: what is collected while it is young costs the garbage collector least. */
const podsPerPage = 500;
const bytesPerPage = 1024 * 1024;
/** Of an item that is too large, its beginning is kept: a pod begins with its name. */
const headBytes = 4096;
/** Kubernetes writes four fields besides the items; millions of them would keep us busy for minutes. */
const mostFields = 64;

/** Kubernetes puts it before each message, which it wraps in a `runtime.Unknown`. */
const magic = Buffer.from('k8s\0');
/** The numbers of the fields of `runtime.Unknown` (the type and the content), and of a list. */
const unknown = { typeMeta: 1, raw: 2 } as const;
const ofList = { metadata: 1, items: 2 } as const;

/** Holds one pod at a time, and throws a BodyError for a truncated answer: each length precedes its data. */
export async function* readPodAnswer(
  bytes: Bytes,
  list?: ListReader,
): AsyncGenerator<PodPage, PodAnswer, void> {
  const arriving = new Arriving(bytes);
  try {
    if (!(await arriving.peek(magic.length)).equals(magic)) {
      return { kind: 'Text', text: (await arriving.peek(bounds.message)).toString('utf8') };
    }
    await arriving.skip(magic.length);
    let type: Json = {};
    let answer: PodAnswer | undefined;
    for (let fields = 0; ; fields++) {
      const field = await arriving.field();
      if (!field) break;
      if (fields === mostFields) throw malformed('the list has more fields than any list');
      if (field.number === unknown.typeMeta && field.length <= headBytes) {
        if (answer) throw malformed('the answer names its kind only after its content');
        type = decode(typeMeta, await arriving.take(field.length)) ?? {};
      } else if (field.number !== unknown.raw) {
        await arriving.skip(field.length);
      } else if (type['kind'] === 'PodList' && list) {
        answer = yield* readItems(arriving, field, list);
      } else {
        if (field.length > bounds.object) throw tooLarge('the answer', bounds.object);
        const content = await arriving.take(field.length);
        if (type['kind'] === 'Pod') answer = { kind: 'Pod', pod: readPodView(content) };
        else answer = { kind: 'Other', object: { ...type, ...decode(status, content) } };
      }
    }
    if (!answer) throw malformed('the answer is empty');
    return answer;
  } finally {
    await arriving.close();
  }
}

async function* readItems(
  arriving: Arriving,
  { length, contentLength }: Field,
  list: ListReader,
): AsyncGenerator<PodPage, PodAnswer, void> {
  let metadata: Json | undefined = {};
  let items = new Items(list);
  let [others, pages, malformedItems] = [0, 0, 0];
  const checkLimits = () => {
    malformedItems += items.malformed.length;
    if (malformedItems > bounds.malformed) throw new BodyError(notPods);
    if (!list.limit.allowsItems(items.count)) throw new BodyError(endlessList);
    items = new Items(list);
  };
  await arriving.skip(length - contentLength);
  for (let left = contentLength; left > 0; ) {
    const field = arriving.fieldIfThere() ?? (await arriving.field());
    if (!field || field.tagLength + field.length > left) throw malformed('the list ends within a field');
    left -= field.tagLength + field.length;
    if (field.number === ofList.items) {
      if (field.length <= bounds.object) {
        items.add(arriving.takeIfThere(field.length) ?? (await arriving.take(field.length)));
      } else {
        items.addTooLarge(await arriving.take(headBytes));
        await arriving.skip(field.length - headBytes);
      }
      if (items.count < podsPerPage && arriving.sincePage < bytesPerPage) continue;
      yield items;
      pages++;
      arriving.sincePage = 0;
      checkLimits();
    } else if (++others > mostFields) {
      throw malformed('the list has more fields than any list');
    } else if (field.number !== ofList.metadata) {
      await arriving.skip(field.length);
    } else {
      if (field.length > bounds.object) throw tooLarge('the metadata of the list', bounds.object);
      metadata = decode(listMeta, await arriving.take(field.length));
    }
  }
  // That there are no pods is worth knowing, too.
  if (pages === 0 || items.count > 0) yield items;
  checkLimits();
  return { kind: 'PodList', metadata };
}

class Items implements PodPage {
  readonly kind = 'Page';
  readonly pods: PodView[] = [];
  readonly malformed: MalformedPod[] = [];
  readonly atWork: PodRef[] = [];
  readonly asOf: Millis | undefined;
  readonly #list: ListReader;

  constructor(list: ListReader) {
    this.#list = list;
    this.asOf = list.asOf;
  }

  get count(): number {
    return this.pods.length + this.malformed.length + this.atWork.length;
  }

  add(bytes: Buffer): void {
    const glance = decode(podGlance, bytes);
    const ref = glance && narrowNames(glance);
    if (glance && this.#list.isLeftOut(glance, ref)) {
      if (!ref) this.#addMalformed(glance.metadata, 'no name, uid or restartPolicy that Kubernetes allows');
      else if (this.#isAsked(ref)) this.atWork.push(ref);
      return;
    }
    const pod = readPodView(bytes);
    if ('problem' in pod) this.#addMalformed(glance?.metadata, pod.problem);
    // Of a pod over the bound, only its names are known.
    else if (this.#isAsked(pod.ref, pod.isOverBound ? undefined : pod.labels)) this.pods.push(pod);
  }

  addTooLarge(beginning: Buffer): void {
    const { message } = tooLarge('the pod', bounds.object);
    this.#addMalformed(decode(podNames, beginning, false)?.metadata, `TooLarge: ${message}`);
  }

  /** A proxy may answer with another request's pods, which must not be swept; what the field selector excludes is judged anyway. */
  #isAsked(ref: PodRef, labels?: PodView['labels']): boolean {
    const { namespace = ref.namespace, labelSelector } = this.#list;
    const isUnlike = labels && labelSelector !== undefined && !matchesLabels(labelSelector, labels);
    const isElsewhere = ref.namespace !== namespace;
    if (!isElsewhere && !isUnlike) return true;
    const list = isElsewhere ? `namespace ${namespace}` : `${labelSelector}, which it does not match`;
    this.#addMalformed(ref, `it was in the answer to a list of ${list}`);
    return false;
  }

  #addMalformed(named: Pick<PodGlance['metadata'], 'namespace' | 'name'> | undefined, problem: string): void {
    const { namespace = '', name = '' } = named ?? {};
    this.malformed.push({ namespace: printable(namespace, 253), name: printable(name, 253), problem });
  }
}

const notPods: Problem = {
  kind: 'Malformed',
  message: `the list has more than ${bounds.malformed} items that are not pods, or not those that were asked for: is it a Kubernetes API server?`,
};

export function statusOf(body: PodAnswer): Status | undefined {
  if (body.kind === 'Text') return statusIn(body.text);
  return body.kind === 'Other' && body.object['kind'] === 'Status' ? parseStatus(body.object) : undefined;
}

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
  const isJson =
    body.kind === 'Text' && status === 200 && /^\s*\{[\s\S]*"kind"\s*:\s*"Pod(?:List)?"/.test(said);
  if (status === 406 || isJson) return { kind: 'Malformed', message: noProtobuf };
  if (status !== 200) return refusal({ ...answer, body: said }, name);
  return unexpected(wanted, redact(statusOf(body)?.message ?? said));
}

const noProtobuf =
  'the server did not answer in protobuf (application/vnd.kubernetes.protobuf), in which every Kubernetes API server offers pods: does a proxy change the Accept header?';
