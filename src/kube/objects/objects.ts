import { ownKeys } from '../../model/annotations.ts';
import { bounds } from '../../model/bounds.ts';
import type { PodName } from '../../model/pod.ts';
import type { Cluster, Origins } from '../../model/ports.ts';
import type {
  ListReading,
  NamespaceReading,
  NodeReading,
  ObjectPage,
  PageToken,
  Problem,
  Unreadable,
} from '../../model/reading.ts';
import { matchesLabels } from '../../model/scope.ts';
import { filled, isRecord, type Json, parseJson, record, records, strings, text } from '../../util/json.ts';
import { refusal, unexpected } from '../client/answer.ts';
import type { Over, Reader } from '../client/transport.ts';

/** The path of an object, or of all objects of its kind (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris). */
export function resourcePath(
  apiVersion: 'v1' | `${string}/v1`,
  resource: string,
  { namespace, name }: { readonly namespace?: string | undefined; readonly name?: string } = {},
  subresource?: string,
): string {
  const scope = namespace === undefined ? [] : ['namespaces', namespace];
  const words = [...scope, resource, name, subresource].filter((word) => word !== undefined);
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return [root, ...words.map(encodeURIComponent)].join('/');
}

export function podPath(pod: PodName, subresource?: string): string {
  return resourcePath('v1', 'pods', pod, subresource);
}

type ObjectReading =
  | { readonly kind: 'Present'; readonly body: Json }
  | { readonly kind: 'Gone' }
  | Unreadable;

/** A proxy or a cache may answer with another object, which would speak for the wrong one. */
export async function readNamed(
  transport: Reader,
  { path, kind, name }: { readonly path: string; readonly kind: string; readonly name: string },
  abort: AbortSignal,
): Promise<ObjectReading> {
  const answer = await transport.get(path, {}, abort);
  if (answer.kind === 'Unanswered' || answer.status !== 200) {
    const problem = refusal(answer, name);
    return problem.kind === 'NotFound' ? { kind: 'Gone' } : { kind: 'Unreadable', problem };
  }
  const body = record(parseJson(answer.body));
  const { name: given = name } = record(body['metadata']);
  if (body['kind'] === kind && given === name) return { kind: 'Present', body };
  const message = body['kind'] === kind ? `another ${kind}` : `not a ${kind}`;
  return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
}

export interface Listed<T> {
  readonly path: string;
  readonly kind: string;
  /** So few that a page of large ones is no larger than one object may be. */
  readonly pageSize: number;
  readonly labelSelector?: string | undefined;
  /** The items of a list have no kind. */
  readonly narrow: (item: Json) => T;
}

export async function listObjects<T>(
  transport: Reader,
  { path, kind, pageSize, labelSelector, narrow }: Listed<T>,
  token: PageToken,
  abort: AbortSignal,
): Promise<ObjectPage<T>> {
  const query = {
    limit: String(pageSize),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(token !== undefined && { continue: token }),
  };
  const answer = await transport.get(path, query, abort);
  if (answer.kind !== 'Answered' || answer.status !== 200) {
    return { kind: 'Unreadable', problem: refusal(answer) };
  }
  const { kind: given, items, metadata } = record(parseJson(answer.body));
  const end = continueToken(metadata);
  // The page fails, because the bad item may be the one that is looked for.
  if (given !== kind || !end || !Array.isArray(items) || !items.every(isRecord)) {
    return { kind: 'Unreadable', problem: unexpected(`a ${kind}`, transport.redact(answer.body)) };
  }
  if (labelSelector !== undefined && !items.every((item) => isLike(item, labelSelector))) {
    const message = `the server answered with items that do not match ${labelSelector}`;
    return { kind: 'Unreadable', problem: { kind: 'Malformed', message } };
  }
  return { kind: 'Page', items: items.map(narrow), token: end.token };
}

/** A proxy may have lost the selector on its way. */
function isLike({ metadata }: Json, labelSelector: string): boolean {
  return matchesLabels(labelSelector, strings(record(metadata)['labels']));
}

/** Ends a list that a server would continue for ever. */
export class ListLimit {
  readonly #tokens = new Set<string>();
  #pages = 0;
  #items = 0;

  /** False if there are more items than any list has. */
  allowsItems(count: number): boolean {
    this.#items += count;
    return this.#items <= bounds.items;
  }

  /** False if the list would never end. */
  allowsPageAfter(token: string): boolean {
    this.#pages++;
    const isNew = this.#tokens.size < this.#tokens.add(token).size;
    return isNew && token.length <= bounds.token && this.#pages < bounds.pages;
  }

  /** The list starts again, and may repeat its tokens. */
  restart(): void {
    this.#tokens.clear();
  }
}

export const endlessList: Problem = {
  kind: 'Malformed',
  message: 'the server continues the list without end',
};

/** Reads a list page by page: all of it or nothing. */
export async function everyPage<T>(
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
): Promise<ListReading<T>> {
  const limit = new ListLimit();
  const items: T[] = [];
  let token: PageToken;
  for (;;) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return page;
    for (const item of page.items) items.push(item);
    if (page.token === undefined) return { kind: 'Read', items };
    if (!limit.allowsItems(page.items.length) || !limit.allowsPageAfter(page.token)) break;
    token = page.token;
  }
  return { kind: 'Unreadable', problem: endlessList };
}

/** Undefined if it is unclear how a page ends, so that no part passes for the whole. */
export function continueToken(metadata: unknown = {}): { readonly token: PageToken } | undefined {
  if (!isRecord(metadata)) return undefined;
  const { continue: token = '' } = metadata;
  return typeof token === 'string' ? { token: token || undefined } : undefined;
}

export const readNamespace: Over<Reader, Cluster['readNamespace']> = async (transport, name, abort) => {
  const path = resourcePath('v1', 'namespaces', { name });
  const reading = await readNamed(transport, { path, kind: 'Namespace', name }, abort);
  return reading.kind === 'Present' ? present(reading.body) : reading;
};

export const listNamespaces: Over<Reader, Cluster['listNamespaces']> = (
  transport,
  labelSelector,
  token,
  abort,
) => {
  const namespaces = {
    path: resourcePath('v1', 'namespaces'),
    kind: 'NamespaceList',
    // The applied manifest is in an annotation, too: some KB.
    pageSize: 100,
    labelSelector,
    narrow: (item: Json) => ({ name: text(record(item['metadata'])['name']) ?? '', reading: present(item) }),
  };
  return listObjects(transport, namespaces, token, abort);
};

/** Of its annotations, which may have 256 KiB, only the one that opts out is kept. */
function present({ metadata }: Json): NamespaceReading {
  const { annotations, uid: given } = record(metadata);
  const skip = text(record(annotations)[ownKeys.skip])?.slice(0, bounds.value);
  const uid = text(given);
  return {
    kind: 'Present',
    annotations: skip === undefined ? {} : { [ownKeys.skip]: skip },
    ...(uid !== undefined && { uid }),
  };
}

export const readNode: Over<Reader, Cluster['readNode']> = async (transport, name, abort) => {
  const path = resourcePath('v1', 'nodes', { name });
  const reading = await readNamed(transport, { path, kind: 'Node', name }, abort);
  if (reading.kind === 'Gone') return { kind: 'NotReady', reason: 'NodeGone' };
  return reading.kind === 'Unreadable' ? reading : readinessOf(reading.body);
};

/** Each node lists up to 50 of its images, which takes some 20 KB. */
const ofNodes = { path: resourcePath('v1', 'nodes'), kind: 'NodeList', pageSize: 50 };

export const listNodes: Over<Reader, Cluster['listNodes']> = (transport, token, abort) => {
  const narrow = (node: Json) => ({ name: nameOf(node), reading: readinessOf(node) });
  return listObjects(transport, { ...ofNodes, narrow }, token, abort);
};

function nameOf({ metadata }: Json): string {
  return text(record(metadata)['name']) ?? '';
}

function readinessOf(node: Json): NodeReading {
  const ready = records(record(node['status'])['conditions']).find(({ type }) => type === 'Ready');
  if (ready?.['status'] === 'True') {
    const { operatingSystem, architecture } = record(record(node['status'])['nodeInfo']);
    const platform = `${text(operatingSystem) ?? ''}/${text(architecture) ?? ''}`;
    return { kind: 'Ready', platform: isVirtual(node) ? `${platform} on a virtual kubelet` : platform };
  }
  return { kind: 'NotReady', reason: text(ready?.['reason']) ?? 'NoReadyCondition' };
}

/** A virtual kubelet may not replace a container whose image changes (https://virtual-kubelet.io/docs/usage/). */
function isVirtual({ metadata, spec }: Json): boolean {
  return (
    record(record(metadata)['labels'])['type'] === 'virtual-kubelet' ||
    records(record(spec)['taints']).some(({ key }) => key === 'virtual-kubelet.io/provider')
  );
}

export const readVersion: Over<Reader, Origins['readVersion']> = async (transport, abort) => {
  const answer = await transport.get('/version', {}, abort);
  if (answer.kind === 'Unanswered' || answer.status !== 200) return undefined;
  return filled(record(parseJson(answer.body))['gitVersion']);
};

export const listKubelets: Over<Reader, Origins['listKubelets']> = (transport, abort) => {
  const narrow = (node: Json) => ({
    node: nameOf(node),
    version: text(record(record(node['status'])['nodeInfo'])['kubeletVersion']) ?? '',
  });
  return everyPage((token) => listObjects(transport, { ...ofNodes, narrow }, token, abort));
};
