import type { KubeObject } from '../../world/objects.ts';
import type { Store } from '../../world/store.ts';
import { badRequest } from '../status.ts';
import { expiredContinue, readContinueToken, writeContinueToken } from './continue-token.ts';
import type { Selection } from './selection.ts';

/** One page of a list. */
export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** One page of the selected objects. Later pages show the cluster at the first page's resourceVersion. */
export function listPage(
  store: Store,
  resource: string,
  selection: Selection,
  query: URLSearchParams,
): ListPage {
  const from = readStart(query, store);
  // From the watch cache, the server gives everything (recorded on 1.24 and 1.36).
  const limit = isFromCache(query) ? 0 : readLimit(query.get('limit'));
  const snapshot = snapshotAt(store, resource, from.resourceVersion);
  if (!snapshot) throw expiredContinue(from);
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
  const token = writeContinueToken({
    resourceVersion: snapshot.resourceVersion,
    start: `/${last.slice(prefix.length)}\0`,
  });
  const remaining = selection.filtered ? {} : { remainingItemCount: lowerBound(keys, after(prefix)) - index };
  return { items, metadata: { resourceVersion, continue: token, ...remaining } };
}

function readLimit(limit: string | null): number {
  if (limit === null || limit === '') return 0;
  const number = Number(limit);
  if (!Number.isInteger(number)) throw badRequest(`strconv.ParseInt: parsing "${limit}": invalid syntax`);
  return Math.max(0, number);
}

interface Start {
  readonly start: string;
  /** Undefined means the newest. */
  readonly resourceVersion: number | undefined;
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#the-resourceversion-parameter */
function isFromCache(query: URLSearchParams): boolean {
  return query.get('resourceVersion') === '0' && !query.get('continue');
}

function readStart(query: URLSearchParams, store: Store): Start {
  const token = query.get('continue');
  if (token) {
    const { resourceVersion, start } = readContinueToken(token);
    return { start: start.replace(/^\//, ''), resourceVersion };
  }
  if (isFromCache(query)) return { start: '', resourceVersion: store.cachedAt };
  const exact = query.get('resourceVersionMatch') === 'Exact';
  return { start: '', resourceVersion: exact ? Number(query.get('resourceVersion')) : undefined };
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
