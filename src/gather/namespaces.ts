import type { Emit } from '../events.ts';
import type { Cluster, Slots } from '../ports.ts';
import type { NamespaceReading, PageToken, Problem, Scope } from '../vocabulary.ts';
import { readByList } from './by-list.ts';

/** Reads namespaces side by side: many of them by a list, if that is allowed, else one by one. */
export interface NamespaceReader {
  readAll(
    names: readonly string[],
    slots: Slots,
    abort: AbortSignal,
  ): Promise<ReadonlyMap<string, NamespaceReading>>;
}

type Namespaces = Pick<Cluster, 'readNamespace' | 'listNamespaces'>;

/** Each that cannot be read is told of: its pods are left alone, so the sweep is not done. */
export function createNamespaceReader(cluster: Namespaces, emit: Emit): NamespaceReader {
  /** No list of them has failed yet. */
  let isListed = true;
  return {
    async readAll(names, slots, abort) {
      const wanted = new Set(names);
      const readings = new Map<string, NamespaceReading>();
      const readPage = async (token: PageToken) => {
        const page = await slots(() => cluster.listNamespaces(undefined, token, abort));
        isListed &&= page.kind === 'Page';
        return page;
      };
      await readByList(isListed ? wanted.size : 0, readPage, ({ name, reading }) => {
        if (!wanted.has(name)) return 'Other';
        readings.set(name, reading);
        return 'Wanted';
      });
      const missing = [...wanted].filter((name) => !readings.has(name));
      await Promise.all(
        missing.map(async (name) => {
          const reading = await slots(() => cluster.readNamespace(name, abort));
          readings.set(name, reading);
          if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return;
          tell(name, reading.problem, emit);
        }),
      );
      return readings;
    },
  };
}

/** Tells of the namespaces that are named and do not exist. Whoever may not read them is told nothing. */
export async function tellMissing(
  names: readonly string[],
  { cluster, slots, emit, stop }: { cluster: Namespaces; slots: Slots; emit: Emit; stop: AbortSignal },
): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const { kind } = await slots(() => cluster.readNamespace(name, stop));
      if (kind === 'Gone')
        tell(name, { kind: 'NotFound', message: `namespace ${name} does not exist` }, emit);
    }),
  );
}

function tell(namespace: string, problem: Problem, emit: Emit): void {
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
  const names = new Set<string>();
  let token: PageToken;
  do {
    const page = await cluster.listNamespaces(namespaceSelector, token, abort);
    if (page.kind === 'Unreadable') return page;
    for (const { name } of page.items) names.add(name);
    token = page.token;
  } while (token !== undefined);
  return { kind: 'Selected', names };
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
