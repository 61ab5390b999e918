import { needs, withGrant } from '../methods/permissions.ts';
import type { Cluster } from '../model/ports.ts';
import type { NodeReading, ObjectPage, PageToken } from '../model/reading.ts';
import type { Emit } from '../plan/sweep-event.ts';
import type { Slots } from '../util/concurrency.ts';

/**
 * A page of a list costs a server about as much as so many single reads: 100 Jobs take it some milliseconds, and a read one or
 * two, besides its round trip.
 */
export const readsPerPage = 10;

/**
 * Reads pages of a list for as long as that saves requests. The caller reads what is still missing one by one, so a list that
 * fails is not a problem.
 */
export async function readByList<T>(
  wanted: number,
  readPage: (token: PageToken) => Promise<ObjectPage<T>>,
  take: (item: T) => 'Wanted' | 'Other',
): Promise<void> {
  let missing = wanted;
  let token: PageToken;
  for (let worth = wanted; Math.min(missing, worth) >= readsPerPage; worth -= readsPerPage) {
    const page = await readPage(token);
    if (page.kind === 'Unreadable') return;
    missing -= page.items.filter((item) => take(item) === 'Wanted').length;
    token = page.token;
    if (token === undefined) return;
  }
}

interface Named<R> {
  readonly name: string;
  readonly reading: R;
}

interface Reads<R> {
  readonly list: (token: PageToken, abort: AbortSignal) => Promise<ObjectPage<Named<R>>>;
  readonly read: (name: string, abort: AbortSignal) => Promise<R>;
}

/** Reads objects side by side: many of them by a list, until one has failed, else one by one. */
export type ReadNamed<R> = (
  names: readonly string[],
  slots: Slots,
  abort: AbortSignal,
) => Promise<ReadonlyMap<string, R>>;

export function createNamedReader<R>({ list, read }: Reads<R>): ReadNamed<R> {
  let isListed = true;
  return async (names, slots, abort) => {
    const wanted = new Set(names);
    const readings = new Map<string, R>();
    const readPage = async (token: PageToken) => {
      const page = await slots(() => list(token, abort));
      isListed &&= page.kind === 'Page';
      return page;
    };
    await readByList(isListed ? wanted.size : 0, readPage, ({ name, reading }) => {
      if (!wanted.has(name)) return 'Other';
      readings.set(name, reading);
      return 'Wanted';
    });
    const missing = [...wanted].filter((name) => !readings.has(name));
    await Promise.all(missing.map(async (name) => readings.set(name, await slots(() => read(name, abort)))));
    return readings;
  };
}

/** Reads nodes. Warns once if that fails, and does not ask again after a Forbidden. */
export interface NodeReader {
  readonly readAll: ReadNamed<NodeReading>;
}

export function createNodeReader(cluster: Pick<Cluster, 'readNode' | 'listNodes'>, emit: Emit): NodeReader {
  let refused: NodeReading | undefined;
  let warned = false;

  async function read(name: string, abort: AbortSignal): Promise<NodeReading> {
    if (refused) return refused;
    const reading = await cluster.readNode(name, abort);
    if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return reading;
    if (reading.problem.kind === 'Forbidden') refused = reading;
    const message = withGrant(reading.problem, needs.nodes.rules);
    if (!warned) emit({ kind: 'Warned', warning: { kind: 'NodesUnreadable', message } });
    warned = true;
    return reading;
  }

  const readAll = createNamedReader({ list: (token, abort) => cluster.listNodes(token, abort), read });
  return { readAll };
}
