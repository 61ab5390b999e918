import type { KubeObject } from '../../world/objects.ts';
import type { Store } from '../../world/store.ts';
import { goJson } from '../answer.ts';
import { badRequest, StatusError } from '../status.ts';
import type { Selection } from './selectors.ts';

/** One page of the selected objects. Later pages show the cluster at the first page's resourceVersion. */
export function listPage(store: Store, resource: string, selection: Selection, query: URLSearchParams) {
  const from = readStart(query, store);
  // From the watch cache, the server gives everything (recorded on 1.24 and 1.36).
  const limit = isFromCache(query) ? 0 : readLimit(query.get('limit'));
  const snapshot = snapshotAt(store, resource, from.resourceVersion);
  if (!snapshot) throw expiredContinue(from.start);
  const prefix = selection.namespace === '' ? '' : `${selection.namespace}/`;
  const keys = snapshot.keys;
  const items: KubeObject[] = [];
  let index = lowerBound(keys, `${prefix}${from.start}`);
  let last = '';
  for (; index < keys.length; index++) {
    const key = keys[index] ?? '';
    if (!key.startsWith(prefix)) break;
    // The server stops when the page is full, without checking whether the selector matches any later key.
    // The last page of a filtered list may therefore be empty.
    if (limit > 0 && items.length >= limit) break;
    const object = snapshot.get(key);
    if (object && selection.matches(object)) {
      items.push(object);
      last = key;
    }
  }
  const more = keys[index]?.startsWith(prefix) === true;
  const resourceVersion = String(snapshot.resourceVersion);
  if (!more) return { items, metadata: { resourceVersion } };
  const token = writeContinueToken(snapshot.resourceVersion, `/${last.slice(prefix.length)}\0`);
  const remaining = selection.filtered ? {} : { remainingItemCount: lowerBound(keys, after(prefix)) - index };
  return { items, metadata: { resourceVersion, continue: token, ...remaining } };
}

function readLimit(limit: string | null): number {
  if (limit === null || limit === '') return 0;
  const number = Number(limit);
  if (!Number.isInteger(number)) throw badRequest(`strconv.ParseInt: parsing "${limit}": invalid syntax`);
  return Math.max(0, number);
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#the-resourceversion-parameter */
function isFromCache(query: URLSearchParams): boolean {
  return query.get('resourceVersion') === '0' && !query.get('continue');
}

function readStart(query: URLSearchParams, store: Store): Start {
  const token = query.get('continue');
  if (token) return readContinueToken(token);
  if (isFromCache(query)) return { start: '', resourceVersion: store.cachedAt };
  return { start: '', resourceVersion: undefined };
}

interface Snapshot {
  readonly resourceVersion: number;
  readonly keys: readonly string[];
  get(key: string): KubeObject | undefined;
}

/** The objects at a resourceVersion: the current ones, with later events undone. Undefined if compacted. */
function snapshotAt(
  store: Store,
  resource: string,
  resourceVersion: number | undefined,
): Snapshot | undefined {
  const current: Snapshot = {
    resourceVersion: store.resourceVersion,
    keys: store.keys(resource),
    get: (key) => store.getByKey(resource, key),
  };
  const isCurrent = resourceVersion === undefined || resourceVersion >= store.resourceVersion;
  if (isCurrent || resourceVersion === -1) return current;
  const later = store.since(resourceVersion);
  if (!later) return undefined;
  const before = new Map<string, KubeObject | undefined>();
  for (const event of later) {
    if (event.resource !== resource) continue;
    const { namespace, name } = event.object.metadata;
    const key = `${namespace ?? ''}/${name}`;
    if (!before.has(key)) before.set(key, event.type === 'ADDED' ? undefined : event.previous);
  }
  const keys = new Set(current.keys);
  for (const [key, object] of before) object ? keys.add(key) : keys.delete(key);
  return {
    resourceVersion,
    keys: before.size === 0 ? current.keys : [...keys].sort(),
    get: (key) => (before.has(key) ? before.get(key) : current.get(key)),
  };
}

/** The first index whose key is at or after `wanted`. */
function lowerBound(keys: readonly string[], wanted: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function after(prefix: string): string {
  return prefix === '' ? '\uffff' : `${prefix.slice(0, -1)}0`;
}

interface Start {
  readonly start: string;
  /** Undefined means the newest; -1 the current state, which is inconsistent with the earlier pages. */
  readonly resourceVersion: number | undefined;
}

/** The token as in Kubernetes 1.36: JSON in unpadded base64. The key is the last one returned plus NUL. */
function writeContinueToken(resourceVersion: number, start: string): string {
  const token = goJson({ v: 'meta.k8s.io/v1', rv: resourceVersion, start });
  return Buffer.from(token).toString('base64url');
}

/** Reads a token. An invalid one is a 400 with the message of Go's JSON decoder. */
function readContinueToken(token: string): Start {
  const illegal = /[^A-Za-z0-9_-]/.exec(token);
  if (illegal) throw unreadable(`illegal base64 data at input byte ${illegal.index}`);
  const { v, rv, start } = parseToken(Buffer.from(token, 'base64url'));
  if (v !== 'meta.k8s.io/v1') throw unreadable(`server does not recognize this encoded version "${v}"`);
  if (typeof start !== 'string' || typeof rv !== 'number' || rv === 0) {
    throw unreadable('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  }
  return { resourceVersion: rv, start: start.replace(/^\//, '') };
}

function parseToken(bytes: Buffer): { v?: unknown; rv?: unknown; start?: unknown } {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    const [first] = bytes;
    if (first === undefined) throw unreadable('unexpected end of JSON input');
    throw unreadable(`invalid character ${quoteByte(first)} looking for beginning of value`);
  }
}

/** A byte as Go quotes it: as it is if printable, otherwise like \u0081. */
function quoteByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[ -~¡-ÿ]/.test(character) ? `'${character}'` : `'\\u${byte.toString(16).padStart(4, '0')}'`;
}

function unreadable(why: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}

/** 410: the history of the first page is compacted. Its token continues with an inconsistent list. */
function expiredContinue(start: string): StatusError {
  return new StatusError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were ' +
      'created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    { continueToken: writeContinueToken(-1, start) },
  );
}
