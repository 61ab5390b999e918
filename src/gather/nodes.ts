import type { Emit } from '../events.ts';
import type { Cluster, Slots } from '../ports.ts';
import type { NodeReading, PageToken } from '../vocabulary.ts';
import { readByList } from './by-list.ts';

/** Reads nodes. Warns once if that fails, and does not ask again after a Forbidden. */
export interface NodeReader {
  read(name: string, abort: AbortSignal): Promise<NodeReading>;
  /** Reads nodes side by side: many of them by a list, if that is allowed, else one by one. */
  readAll(
    names: readonly string[],
    slots: Slots,
    abort: AbortSignal,
  ): Promise<ReadonlyMap<string, NodeReading>>;
}

export function createNodeReader(cluster: Pick<Cluster, 'readNode' | 'listNodes'>, emit: Emit): NodeReader {
  let refused: NodeReading | undefined;
  let warned = false;
  /** No list of them has failed yet. */
  let isListed = true;

  async function read(name: string, abort: AbortSignal): Promise<NodeReading> {
    if (refused) return refused;
    const reading = await cluster.readNode(name, abort);
    if (reading.kind !== 'Unreadable' || reading.problem.kind === 'Interrupted') return reading;
    const { kind, message } = reading.problem;
    if (kind === 'Forbidden') refused = reading;
    if (!warned) emit({ kind: 'Warned', warning: { kind: 'NodesUnreadable', message } });
    warned = true;
    return reading;
  }

  return {
    read,
    async readAll(names, slots, abort) {
      const wanted = new Set(names);
      const readings = new Map<string, NodeReading>();
      const readPage = async (token: PageToken) => {
        const page = await slots(() => cluster.listNodes(token, abort));
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
        missing.map(async (name) => readings.set(name, await slots(() => read(name, abort)))),
      );
      return readings;
    },
  };
}
