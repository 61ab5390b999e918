import { randomUUID } from 'node:crypto';
import type { KubeObject } from './objects.ts';

/** An event for watchers. `previous` is the object before a MODIFIED: selectors may no longer match it. */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: string;
  readonly resourceVersion: number;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/** Why a write failed. Handlers turn it into the Status that a real API server sends. */
export class StoreConflict extends Error {
  constructor(readonly kind: 'NotFound' | 'AlreadyExists' | 'Conflict') {
    super(kind);
  }
}

export type Draft = {
  apiVersion: string;
  kind: string;
  metadata: Record<string, unknown>;
  [field: string]: unknown;
};

/**
 * The emulator's etcd: objects by resource ("pods", "jobs", "leases"), one resourceVersion for all, and the
 * history for watches. Objects are never changed in place: every write stores a new value, so a reference to
 * an object keeps a consistent old state.
 */
export class Store {
  #resourceVersion = 1000;
  #compactedBefore = 0;
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #sortedKeys = new Map<string, readonly string[]>();
  readonly #history: StoreEvent[] = [];
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  /** What lists with `resourceVersion=0` show if the watch cache is behind; undefined if it is not. */
  cachedAt: number | undefined;
  readonly #undelivered: StoreEvent[] = [];
  #delivering = false;

  constructor(private readonly now: () => Date) {}

  get resourceVersion(): number {
    return this.#resourceVersion;
  }

  /** Watches and lists from earlier versions are 410. */
  get compactedBefore(): number {
    return this.#compactedBefore;
  }

  compact(): void {
    this.#compactedBefore = this.#resourceVersion;
    this.#history.length = 0;
  }

  /** Keys (`namespace/name`) in list order. */
  keys(resource: string): readonly string[] {
    const keys = this.#sortedKeys.get(resource) ?? [...(this.#objects.get(resource)?.keys() ?? [])].sort();
    this.#sortedKeys.set(resource, keys);
    return keys;
  }

  get<T extends KubeObject>(resource: string, namespace: string | undefined, name: string): T | undefined {
    return this.#objects.get(resource)?.get(`${namespace ?? ''}/${name}`) as T | undefined;
  }

  getByKey<T extends KubeObject>(resource: string, key: string): T | undefined {
    return this.#objects.get(resource)?.get(key) as T | undefined;
  }

  list<T extends KubeObject>(resource: string, namespace?: string): T[] {
    const objects = this.#objects.get(resource);
    const keys = this.keys(resource);
    const wanted = namespace === undefined ? keys : keys.filter((key) => key.startsWith(`${namespace}/`));
    return wanted.map((key) => objects?.get(key) as T);
  }

  create<T extends KubeObject>(resource: string, draft: Draft): T {
    const metadata = { ...draft.metadata };
    metadata['name'] ??= generatedName(String(metadata['generateName']));
    const key = `${metadata['namespace'] ?? ''}/${metadata['name']}`;
    if (this.#objects.get(resource)?.has(key)) throw new StoreConflict('AlreadyExists');
    metadata['uid'] ??= randomUUID();
    metadata['creationTimestamp'] ??= rfc3339(this.now());
    metadata['resourceVersion'] = String(++this.#resourceVersion);
    const object = { ...draft, metadata } as unknown as T;
    const objects = this.#objects.get(resource) ?? new Map<string, KubeObject>();
    this.#objects.set(resource, objects.set(key, object));
    this.#sortedKeys.delete(resource);
    this.#record('ADDED', resource, object);
    return object;
  }

  /**
   * Replaces an object with the result of `change`. If the options have a `resourceVersion`, it must be the
   * current one. If `change` returns the same value, nothing is written.
   */
  update<T extends KubeObject>(
    resource: string,
    namespace: string | undefined,
    name: string,
    change: (current: T) => T,
    options: { readonly resourceVersion?: string } = {},
  ): T {
    const previous = this.#found<T>(resource, namespace, name);
    if (options.resourceVersion && options.resourceVersion !== previous.metadata.resourceVersion) {
      throw new StoreConflict('Conflict');
    }
    const changed = change(previous);
    if (changed === previous) return previous;
    const object = this.#nextVersion(changed);
    this.#objects.get(resource)?.set(`${namespace ?? ''}/${name}`, object);
    this.#record('MODIFIED', resource, object, previous);
    return object;
  }

  delete<T extends KubeObject>(resource: string, namespace: string | undefined, name: string): T {
    const previous = this.#found<T>(resource, namespace, name);
    const object = this.#nextVersion(previous);
    this.#objects.get(resource)?.delete(`${namespace ?? ''}/${name}`);
    this.#sortedKeys.delete(resource);
    this.#record('DELETED', resource, object, previous);
    return object;
  }

  #found<T extends KubeObject>(resource: string, namespace: string | undefined, name: string): T {
    const found = this.get<T>(resource, namespace, name);
    if (!found) throw new StoreConflict('NotFound');
    return found;
  }

  #nextVersion<T extends KubeObject>(object: T): T {
    const resourceVersion = String(++this.#resourceVersion);
    return { ...object, metadata: { ...object.metadata, resourceVersion } };
  }

  /** Events after a version, oldest first; undefined if the history does not go back that far. */
  since(resourceVersion: number): readonly StoreEvent[] | undefined {
    if (resourceVersion < this.#compactedBefore) return undefined;
    return this.#history.filter((event) => event.resourceVersion > resourceVersion);
  }

  /** Calls the listener for every write, in order, before the write returns. Returns a function to stop. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #record(type: StoreEvent['type'], resource: string, object: KubeObject, previous?: KubeObject): void {
    const resourceVersion = this.#resourceVersion;
    const event = { type, resource, resourceVersion, object, ...(previous && { previous }) };
    this.#history.push(event);
    if (this.#history.length > 50_000) {
      const dropped = this.#history.splice(0, 25_000);
      this.#compactedBefore = dropped.at(-1)?.resourceVersion ?? this.#compactedBefore;
    }
    this.#undelivered.push(event);
    if (!this.#delivering) this.#deliver();
  }

  /** Listeners may write too: all listeners get the first event before any gets the second. */
  #deliver(): void {
    this.#delivering = true;
    try {
      for (let event = this.#undelivered.shift(); event; event = this.#undelivered.shift()) {
        for (const listener of [...this.#listeners]) listener(event);
      }
    } finally {
      this.#delivering = false;
    }
  }
}

/** Kubernetes writes times in whole seconds. */
export function rfc3339(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** The prefix, cut so that the name is a valid label value, and five random characters. */
export function generatedName(prefix: string): string {
  return `${prefix.slice(0, 58)}${randomSuffix()}`;
}

/** Five characters from Kubernetes' alphabet for generated names, without vowels and ambiguous characters. */
export function randomSuffix(): string {
  const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
  return Array.from({ length: 5 }, () => alphabet[Math.floor(Math.random() * alphabet.length)]).join('');
}
