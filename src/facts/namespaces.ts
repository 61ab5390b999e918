import { everyPage } from '../kube/every-page.ts';
import type { Cluster } from '../model/ports.ts';
import type { NamespaceReading, Problem } from '../model/reading.ts';
import type { Scope } from '../model/scope.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Slots } from '../util/concurrency.ts';
import { createNamedReader, type ReadNamed } from './readers.ts';

export interface NamespaceReader {
  readonly readAll: ReadNamed<NamespaceReading>;
}

type Namespaces = Pick<Cluster, 'readNamespace' | 'listNamespaces'>;

/** Reports each namespace that cannot be read: its pods are left alone, so the sweep is incomplete. */
export function createNamespaceReader(cluster: Namespaces, emit: Emit): NamespaceReader {
  const readAll = createNamedReader<NamespaceReading>({
    list: (token, abort) => cluster.listNamespaces(undefined, token, abort),
    async read(name, abort) {
      const reading = await cluster.readNamespace(name, abort);
      const isUnread = reading.kind === 'Unreadable' && reading.problem.kind !== 'Interrupted';
      if (isUnread) reportUnread(name, reading.problem, emit);
      return reading;
    },
  });
  return { readAll };
}

/** Reports the namespaces that are named and do not exist; skipped without `get namespaces`. */
export async function reportMissing(
  names: readonly string[],
  { cluster, slots, emit, stop }: { cluster: Namespaces; slots: Slots; emit: Emit; stop: AbortSignal },
): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const { kind } = await slots(() => cluster.readNamespace(name, stop));
      if (kind === 'Gone')
        reportUnread(name, { kind: 'NotFound', message: `namespace ${name} does not exist` }, emit);
    }),
  );
}

function reportUnread(namespace: string, problem: Problem, emit: Emit): void {
  emit({ kind: 'ReadFailed', namespace, problem, what: 'Namespace' });
}

export type Selected =
  | { readonly kind: 'All' }
  | { readonly kind: 'Selected'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'Unreadable'; readonly problem: Problem };

/** The namespaces that the selector selects; All without one. */
export async function selectNamespaces(
  { namespaceSelector }: Pick<Scope, 'namespaceSelector'>,
  cluster: Pick<Cluster, 'listNamespaces'>,
  abort: AbortSignal,
): Promise<Selected> {
  if (namespaceSelector === undefined) return { kind: 'All' };
  const namespaces = await everyPage((token) => cluster.listNamespaces(namespaceSelector, token, abort));
  if (namespaces.kind === 'Unreadable') return namespaces;
  return { kind: 'Selected', names: new Set(namespaces.items.map(({ name }) => name)) };
}

/** From here on, one list of everything is faster than a list of each. */
const mostLists = 50;

/** Where to look for pods: undefined if nowhere, because an empty list of namespaces means all. */
export function narrowed(scope: Scope, selected: Selected): Scope | undefined {
  switch (selected.kind) {
    case 'All':
      return scope;
    case 'Unreadable':
      return undefined;
    case 'Selected':
      return inThese(scope, selected.names);
  }
}

function inThese(scope: Scope, selected: ReadonlySet<string>): Scope | undefined {
  const { namespaces, excludeNamespaces = [] } = scope;
  const isNamed = (name: string) => namespaces.length === 0 || namespaces.includes(name);
  const names = [...selected].filter((name) => isNamed(name) && !excludeNamespaces.includes(name));
  if (names.length === 0) return undefined;
  return names.length > mostLists ? scope : { ...scope, namespaces: names };
}

/**
 * Every cluster has this namespace for good, so its uid is the cluster's. OpenTelemetry identifies clusters by it, too:
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/k8s/#k8s-cluster-uid.
 */
const systemNamespace = 'kube-system';

/** Which cluster it is. Its address does not show that: many clusters have the same one for the API server's Service. */
export interface Identity<C extends Namespaces> {
  /** The cluster; if a sweep reads the namespace through it, that read is enough. */
  readonly observed: C;
  /** Undefined if it may not be read, which is not a failure. */
  uid(slots: Slots, abort: AbortSignal): Promise<string | undefined>;
}

export function identify<C extends Namespaces>(cluster: C): Identity<C> {
  let uid: string | undefined;
  const observe = (name: string, reading: NamespaceReading) => {
    if (name === systemNamespace && reading.kind === 'Present') uid = reading.uid;
    return reading;
  };
  return {
    observed: {
      ...cluster,
      async readNamespace(name, abort) {
        return observe(name, await cluster.readNamespace(name, abort));
      },
      async listNamespaces(selector, token, abort) {
        const page = await cluster.listNamespaces(selector, token, abort);
        if (page.kind === 'Page') for (const { name, reading } of page.items) observe(name, reading);
        return page;
      },
    },
    async uid(slots, abort) {
      if (uid === undefined)
        observe(systemNamespace, await slots(() => cluster.readNamespace(systemNamespace, abort)));
      return uid;
    },
  };
}
